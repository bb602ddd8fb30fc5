import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GrantedFiles } from '../src/python/granted-files.ts';

function grantedWith(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-granted-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'original');
  writeFileSync(path, text);
  const filesDir = join(folder, 'files');
  mkdirSync(filesDir);
  return { path, filesDir, files: new GrantedFiles(undefined, { filesDir, inside: (own: string) => own }) };
}

test('a copy that failed leaves nothing behind and is made when the file is asked for again', async () => {
  const { files, path, filesDir } = grantedWith('a text');
  // No file system takes a name this long.
  await expect(files.share({ path, name: 'x'.repeat(5_000) })).rejects.toThrow();
  expect(readdirSync(filesDir)).toEqual([]);
  expect(readFileSync(await files.share({ path, name: 'text.txt' }), 'utf8')).toBe('a text');
});

test('whoever asks for a file at the same time gets the one copy, whole', async () => {
  const { files, path, filesDir } = grantedWith('long '.repeat(100_000));
  const asked = Array.from({ length: 5 }, async () =>
    readFileSync(await files.share({ path, name: 'text.txt' }), 'utf8'),
  );
  for (const text of await Promise.all(asked)) expect(text).toHaveLength(500_000);
  expect(readdirSync(filesDir)).toHaveLength(1);
});
