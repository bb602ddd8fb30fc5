import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { Storage } from '@atoll-mcp/core/storage';
import { loadStorageDriver, openStorage, type StorageOptions } from '@atoll-mcp/storage';
import { counters, DIMENSIONS, entries, unitVector } from './storage-samples.ts';

/** What the storage suites have other processes do. `times` undefined means: until killed. */
export interface ChildJob {
  readonly kind: 'put records' | 'count up' | 'put blobs' | 'index documents' | 'take' | 'fill cache';
  /** Tells apart what several processes write. */
  readonly tag: string;
  readonly times?: number;
}

type Step = (storage: Storage, tag: string, turn: number) => Promise<string>;

const STEPS: Readonly<Record<ChildJob['kind'], Step>> = {
  async 'put records'(storage, tag, turn) {
    const id = `${tag}-${turn}`;
    await storage.records.collection(entries).put({ id, name: id, size: turn, note: 'x'.repeat(500) });
    return id;
  },
  async 'count up'({ records }) {
    return records.transaction(async (transaction) => {
      const collection = transaction.collection(counters);
      const { value } = (await collection.get('shared')) ?? { value: 0 };
      await collection.put({ id: 'shared', value: value + 1 });
      return String(value + 1);
    });
  },
  async 'put blobs'({ blobs }) {
    const { key } = await blobs.put(randomBytes(50_000));
    return key;
  },
  async 'index documents'(storage, tag, turn) {
    const id = `${tag}-${turn}`;
    const chunk = (n: number) => ({ terms: [tag, `only${n}`], vector: unitVector(turn + n), payload: { id, n } });
    await storage.searchIndex({ name: 'suite', dimensions: DIMENSIONS }).upsert({ id, chunks: [0, 1, 2].map(chunk) });
    return id;
  },
  async take(storage) {
    const { allowed } = await storage.rateLimiter({ name: 'suite', limit: 50 }).take('client');
    return String(allowed);
  },
  async 'fill cache'(storage, tag, turn) {
    const key = `${tag}-${turn}`;
    await storage.cache({ name: 'suite', maxBytes: 1 << 20 }).setMany([[key, Buffer.from(key)]]);
    return key;
  },
};

const { options, job } = JSON.parse(process.argv[2] ?? '') as { options: StorageOptions; job: ChildJob };
await loadStorageDriver(options.url);
const storage = openStorage(options);
for (let turn = 0; turn < (job.times ?? Number.POSITIVE_INFINITY); turn++) {
  const done = await STEPS[job.kind](storage, job.tag, turn);
  // Written synchronously, so that nothing reported is lost when the process is killed.
  writeSync(1, `${done}\n`);
}
await storage.close();
