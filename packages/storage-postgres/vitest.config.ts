import { defineConfig } from 'vitest/config';
import { installObjectStore } from './test/object-store.ts';
import { postgresBinaries, VERSIONS } from './test/server.ts';
import { makeSmallDisk } from './test/small-disk.ts';

/** What the tests need of the world, and which of them need it. */
const NEEDED = [
  {
    what: 'PostgreSQL with pgvector',
    get: () => VERSIONS.map(postgresBinaries),
    tests: ['storage', 'search', 'failures', 'servers', 'migrate', 'scale-out', 'failover', 'full-disk'],
  },
  { what: 'a file system of its own', get: () => makeSmallDisk(1).remove(), tests: ['full-disk'] },
  { what: 'an S3-compatible server', get: installObjectStore, tests: ['s3-blobs', 'migrate'] },
];

/** Tests whose servers cannot be had here are left out, and it is said why; in CI that is a failure. */
export default defineConfig(() => {
  const missing = process.env.CI ? [] : NEEDED.filter(({ what, get, tests }) => !isThere(what, get, tests));
  const exclude = missing.flatMap(({ tests }) => tests.map((name) => `test/${name}.test.ts`));
  return { test: { exclude: ['node_modules/**', 'dist/**', ...exclude] } };
});

function isThere(what: string, get: () => unknown, tests: readonly string[]): boolean {
  try {
    get();
    return true;
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0];
    process.stderr.write(`Skipped: ${tests.join(', ')}. They need ${what}, which could not be got: ${reason}\n`);
    return false;
  }
}
