import { once } from 'node:events';
import { createReadStream, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import { FileBlobs } from '../src/drivers/files/file-blobs.ts';

let folder: string;
let blobs: FileBlobs;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-blobs-'));
  blobs = new FileBlobs(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const drafts = () => readdirSync(join(folder, '.drafts'));

/** Of the store, in this process. */
function openFiles(): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The listing's own is gone by now.
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder));
}

async function* pieces(count: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) {
    await otherWork();
    yield Buffer.alloc(3 << 20, i);
  }
  if (failure) throw failure;
}

const gone = new Error('The sender is gone');

async function putInVain(count: number, times: number): Promise<void> {
  const puts = Array.from({ length: times }, () => blobs.put(pieces(count, gone)));
  for (const outcome of await Promise.allSettled(puts)) expect(outcome).toMatchObject({ reason: gone });
}

test('a source that fails before its file is opened leaves no draft behind', async () => {
  // Which of the two comes first is a matter of luck.
  for (let round = 0; round < 300; round++) await putInVain(0, 20);
  expect(drafts()).toEqual([]);
});

test('a source that fails half way leaves no draft behind', async () => {
  for (const count of [1, 8]) await putInVain(count, 3);
  expect(drafts()).toEqual([]);
});

test('a source that is a file and cannot be read fails in its own name', async () => {
  const missing = join(folder, 'missing');
  async function* unreadable(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a beginning');
    yield* createReadStream(missing);
  }
  await expect(blobs.put(unreadable())).rejects.toMatchObject({ code: 'ENOENT', path: missing });
  expect(drafts()).toEqual([]);
});

test(
  'a stream that is given up closes its file, read from or not',
  requires(process.platform === 'linux', 'linux'),
  async () => {
    const { key } = await blobs.put(Buffer.alloc(1 << 20));
    for (const hasBegun of [false, true]) {
      const stream = await blobs.get(key);
      expect(openFiles()).toHaveLength(1);
      if (hasBegun) await once(stream, 'readable');
      stream.destroy();
      await vi.waitFor(() => expect(openFiles()).toEqual([]));
    }
  },
);

test('what the disk did not take is never said to be stored', async () => {
  const file = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const flush = prototype.datasync;
  for (const source of [() => Buffer.alloc(30 << 20), () => pieces(8), () => Buffer.from('small')]) {
    let hasFailed = true;
    for (let failing = 1; hasFailed; failing++) {
      hasFailed = false;
      let flushes = 0;
      vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
        hasFailed ||= ++flushes === failing;
        if (flushes === failing) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' });
        return flush.call(this);
      });
      const outcome = await blobs.put(source()).catch((error) => error);
      expect(outcome).toMatchObject(hasFailed ? { code: 'unavailable' } : { sha256: expect.any(String) });
      expect(drafts()).toEqual([]);
      for await (const { key } of blobs.list()) expect(hasFailed || (await blobs.delete(key))).toBe(!hasFailed);
    }
  }
});
