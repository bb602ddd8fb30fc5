import { afterAll, expect, test } from 'vitest';
import { openLake } from '../../src/server.ts';
import { uploadedFile } from '../../src/service/library.ts';
import { ReadSlots } from '../../src/service/read-slots.ts';
import { afterTests, cleanUp, configFor, hashEmbedder, newFolder } from '../open-test-lake.ts';

afterAll(cleanUp);

const FILES = 60;
/** After a pause this long between two files, the lake may take the folder to be complete, and makes vectors for a while. */
const PAUSE_MS = 150;
const FILES_AFTER_PAUSE = 8;

test('while a folder comes in file after file, vectors wait until the words of all are there', async () => {
  const embedder = hashEmbedder();
  const lake = await openLake(configFor(await newFolder()), { embedder });
  afterTests(() => lake.close());
  const settled: Promise<unknown>[] = [];
  let madeMeanwhile = 0;
  let lastPause = 0;
  for (let at = 0; at < FILES; at++) {
    const began = performance.now();
    const made = embedder.embedded;
    const file = uploadedFile(`note ${at}.txt`, Buffer.from(`Note ${at} is about the harbour of Rotterdam.`));
    const steps = await lake.addInSteps(file);
    await steps.searchable;
    settled.push(steps.settled);
    // The first few may be all there are; on a busy machine the folder stands still for a moment now and then.
    if (performance.now() - began > PAUSE_MS) lastPause = at;
    if (at >= FILES / 2 && at - lastPause > FILES_AFTER_PAUSE && embedder.embedded > made) madeMeanwhile++;
  }
  expect(madeMeanwhile).toBeLessThanOrEqual(4);
  await Promise.all(settled);
  expect(embedder.embedded).toBe(2 * FILES);
});

test('a file alone does not wait for others', async () => {
  const slots = new ReadSlots();
  const { signal } = new AbortController();
  await slots.idle(signal);
  let end = () => {};
  const reading = slots.run(10, () => new Promise<void>((resolve) => (end = resolve)), signal);
  let isIdle = false;
  const idle = slots.idle(signal).then(() => {
    isIdle = true;
  });
  await new Promise(setImmediate);
  expect(isIdle).toBe(false);
  end();
  await Promise.all([reading, idle]);
});
