import { defineConfig } from 'vitest/config';
import type { Need } from '../../tooling/test/needs.mjs';
import { installObjectStore } from './test/object-store.ts';
import { postgresBinaries, VERSIONS } from './test/server.ts';
import { makeSmallDisk } from './test/small-disk.ts';

/** What the tests need of the world, and which of them need it. */
const NEEDED: readonly { need: Need; get: () => unknown; tests: readonly string[] }[] = [
  {
    need: 'postgres',
    get: () => VERSIONS.map(postgresBinaries),
    tests: [
      'storage',
      'search',
      'search-graphs',
      'failures',
      'servers',
      'migrate',
      'scale-out',
      'failover',
      'full-disk',
    ],
  },
  { need: 'small-disk', get: () => makeSmallDisk(1).remove(), tests: ['full-disk'] },
  { need: 's3', get: installObjectStore, tests: ['s3-blobs', 'migrate'] },
];

/** Files whose servers cannot be had here are left out, and a line for each says why. */
export default defineConfig(() => {
  const leftOut = new Set<string>();
  for (const { need, get, tests } of NEEDED) {
    const reason = whyNot(get);
    if (reason === undefined) continue;
    for (const name of tests.filter((one) => !leftOut.has(one))) {
      leftOut.add(name);
      process.stderr.write(`Left out: test/${name}.test.ts (needs ${need}: ${reason})\n`);
    }
  }
  return { test: { exclude: ['node_modules/**', 'dist/**', ...[...leftOut].map((name) => `test/${name}.test.ts`)] } };
});

function whyNot(get: () => unknown): string | undefined {
  try {
    get();
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
}
