import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import { removeStale, removeTree } from '../src/python/remove-tree.ts';
import { interpreter } from './python-environment.ts';

const DEAD = 2 ** 22 + 1;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-remove-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a folder goes even if the code in it closed it to itself', async () => {
  await mkdir(join(folder, 'a/b'), { recursive: true });
  await writeFile(join(folder, 'a/b/file'), 'x');
  await chmod(join(folder, 'a/b'), 0);
  await removeTree(join(folder, 'a'));
  expect(await readdir(folder)).toEqual([]);
});

test('a folder goes even if paths in it are too long for the system', requires(interpreter, 'python'), async () => {
  const program = `import os; os.chdir(${JSON.stringify(folder)}); os.mkdir('a'); os.chdir('a')
for _ in range(60): os.mkdir('x' * 200, 0o300); os.chdir('x' * 200)
open('file', 'w').close()`;
  execFileSync(interpreter!.executable, ['-c', program]);
  await removeTree(join(folder, 'a'));
  expect(await readdir(folder)).toEqual([]);
});

test('a folder that cannot be removed makes no trouble', async () => {
  await expect(removeTree('/proc/self')).resolves.toBe(false);
});

test('only old folders of dead processes are swept away', async () => {
  const names = [`x-${DEAD}-old`, `x-${DEAD}-new`, `x-${process.pid}-old`, 'x-other', 'thesis'];
  for (const name of names) await mkdir(join(folder, name));
  for (const name of names.filter((each) => !each.endsWith('new'))) await utimes(join(folder, name), 0, 0);
  await removeStale(folder, 'x-');
  expect((await readdir(folder)).sort()).toEqual(names.slice(1).sort());
});
