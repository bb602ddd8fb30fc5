import { silentLogger } from '@atoll-mcp/core';
import { memoryStorage } from '@atoll-mcp/storage';
import { afterAll, expect, test } from 'vitest';
import { withLocalCopies } from '../../src/backends/blobs-local-copies.ts';
import type { FileReader, ReadOutcome } from '../../src/backends/interface.ts';
import { Catalog, LEASE_MS } from '../../src/service/catalog.ts';
import { IngestPipeline } from '../../src/service/ingest-pipeline.ts';
import { type ChunkPayload, LakeIndex } from '../../src/service/lake-index.ts';
import { LeaseLost, whileLeased } from '../../src/service/while-leased.ts';
import { cleanUp, newFolder } from '../open-test-lake.ts';

afterAll(cleanUp);

const facts = {
  title: undefined,
  headings: [],
  sheets: [],
  documentTables: [],
  pages: 0,
  lines: 1,
  tables: 0,
  figures: 0,
  chunks: 1,
};
const passage = (text: string) => ({ text, place: {}, context: '', terms: text.split(' ') });

test.each<[string, ReadOutcome]>([
  ['has read the file', { ok: true, format: 'txt', facts, summary: 'stale' }],
  ['could not read it', { ok: false, reason: 'It is broken', type: 'txt_file' }],
])('a process that was held up and %s leaves alone what another stored meanwhile', async (_, outcome) => {
  const storage = withLocalCopies(memoryStorage(), await newFolder());
  let nowMs = 1;
  const catalog = new Catalog({ storage, now: () => new Date(nowMs), newId: () => 'one' });
  const index = new LakeIndex(storage, undefined);
  const blob = await storage.blobs.put(Buffer.from('words'));
  const { memory } = await catalog.register({
    source: 'a',
    name: 'a.txt',
    blob,
    type: 'txt_file',
    owner: 'held up',
  });

  const storeAsAnother = async () => {
    nowMs += 2 * LEASE_MS;
    const taken = await catalog.claim(memory.id, 'another', () => false);
    const chunks = ['card', 'newer'].map((text) => ({ terms: [text], payload: passage(text) }));
    await index.put(memory.id, { type: 'txt_file', model: null }, chunks);
    await catalog.finish(memory.id, taken!.pending!, { status: 'ready', summary: 'newer', chunks: 1 }, []);
  };
  const reader: Pick<FileReader, 'read'> = {
    async read(_file, { onChunks }) {
      await onChunks([passage('stale')]);
      await storeAsAnother();
      return outcome;
    },
  };
  const ingest = new IngestPipeline({
    catalog,
    index,
    blobs: storage.blobs,
    // Nothing else of a reader is used to take a file in.
    reader: reader as FileReader,
    embedder: undefined,
    summariser: undefined,
    owner: 'held up',
    log: silentLogger,
  });

  expect(await ingest.process(memory.id)).toMatchObject({ status: 'ready', summary: 'newer' });
  const [found] = await (await index.index()).payloads([{ documentId: memory.id, chunk: 1 }]);
  expect((found as ChunkPayload | undefined)?.text).toBe('newer');
  await ingest.close();
  await storage.close();
});

test('work whose lease is lost ends, and so does work that everything stops', async () => {
  const untilEnded = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const stop = new AbortController();
  const lost = whileLeased({ renew: async () => false, everyMs: 1 }, stop.signal, untilEnded);
  await expect(lost).rejects.toBeInstanceOf(LeaseLost);
  const kept = whileLeased({ renew: async () => true, everyMs: 1 }, stop.signal, untilEnded);
  stop.abort(new Error('closing'));
  await expect(kept).rejects.toThrow('closing');
});

test('a file that ended the process twice is marked as failed at the third start, and a lake that was closed does not count', async () => {
  const storage = withLocalCopies(memoryStorage(), await newFolder());
  const catalog = new Catalog({ storage, now: () => new Date(1), newId: () => 'one' });
  const index = new LakeIndex(storage, undefined);
  const register = async (owner: string) => {
    const blob = await storage.blobs.put(Buffer.from('words'));
    return (await catalog.register({ source: 'a', name: 'a.txt', blob, type: 'txt_file', owner })).memory;
  };
  const pipeline = (owner: string, read: FileReader['read']) => {
    const options = { catalog, index, blobs: storage.blobs, embedder: undefined, summariser: undefined };
    // Nothing else of a reader is used to take a file in.
    return new IngestPipeline({ ...options, reader: { read } as FileReader, owner, log: silentLogger });
  };
  const good: FileReader['read'] = async () => ({ ok: true, format: 'txt', facts, summary: 'read' });
  const untilClosed: FileReader['read'] = (_, { signal }) =>
    new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));

  const { id } = await register('closed');
  for (let start = 0; start < 4; start++) {
    await new Promise<void>((reading) => {
      const closed = pipeline('closed', (...args) => {
        const read = untilClosed(...args);
        void closed.close().then(reading);
        return read;
      });
      void closed.process(id);
    });
  }
  const isGone = () => true;
  await catalog.claim(id, 'killed first', isGone);
  expect(await catalog.claim(id, 'killed second', isGone)).toMatchObject({ pending: { begun: 2 } });
  expect(await catalog.claim(id, 'third', isGone)).toBeDefined();
  const failed = await pipeline('third', good).process(id);
  expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('crashed twice'), pending: null });

  await register('fourth');
  expect(await pipeline('fourth', good).process(id)).toMatchObject({ status: 'ready' });
  await storage.close();
});
