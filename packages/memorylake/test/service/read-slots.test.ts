import { afterAll, expect, test } from 'vitest';
import { openLake } from '../../src/server.ts';
import { uploadedFile } from '../../src/service/library.ts';
import { ReadSlots } from '../../src/service/read-slots.ts';
import { afterTests, cleanUp, configFor, hashEmbedder, newFolder } from '../open-test-lake.ts';

afterAll(cleanUp);

const FILES = 60;

test('while a folder comes in file after file, vectors wait until the words of all are there', async () => {
  const embedder = hashEmbedder();
  const lake = await openLake(configFor(await newFolder()), { embedder });
  afterTests(() => lake.close());
  const settled: Promise<unknown>[] = [];
  const madeMeanwhile: number[] = [];
  for (let at = 0; at < FILES; at++) {
    const file = uploadedFile(`note ${at}.txt`, Buffer.from(`Note ${at} is about the harbour of Rotterdam.`));
    const steps = await lake.addInSteps(file);
    await steps.searchable;
    settled.push(steps.settled);
    // The first few may be all there are.
    if (at >= FILES / 2) madeMeanwhile.push(embedder.embedded);
  }
  // A machine that stands still for a moment lets some be made.
  expect(new Set(madeMeanwhile).size).toBeLessThanOrEqual(5);
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
