import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rememberReef } from '../examples/storage.ts';

test('the storage example is shown as it is, and works', { timeout: 60_000 }, async () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trim();
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/storage.ts')}\n\`\`\``);
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-readme-'));
  try {
    expect(await rememberReef(dataDir)).toEqual(['Reef']);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
