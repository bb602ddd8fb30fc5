import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = new URL('../../../tooling/set-up/python.mjs', import.meta.url).href;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What `npm start` shows while a program like `setup-python` runs beside it. */
async function shown(source: string): Promise<string[]> {
  const program = join(folder, 'program.mjs');
  await writeFile(program, source);
  const { setUpPythonInBackground } = await import(script);
  const lines: string[] = [];
  const child = setUpPythonInBackground((line: string) => lines.push(line), program);
  await new Promise((resolve) => child.once('close', resolve));
  return lines;
}

test('a set-up beside npm start says that it begins and that it is done, and nothing between', async () => {
  expect(await shown("console.error('  2 % making\\n 50 % getting numpy\\n100 % ready')")).toEqual([
    expect.stringContaining('in the background'),
    'Python for the sandbox is ready.',
  ]);
});

test('a set-up with nothing to do says nothing', async () => {
  expect(await shown('')).toEqual([]);
});

test('a set-up that fails says why, and that the rest works', async () => {
  expect(await shown("console.error('no network\\nrepair: get one'); process.exitCode = 1")).toEqual([
    'no network',
    'repair: get one',
    expect.stringContaining('Everything else works'),
  ]);
});
