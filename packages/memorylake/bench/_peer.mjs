import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../../../.cache/peers', import.meta.url));

/** Imports a library that we are measured against, installed when it is first needed; undefined where it cannot be had. */
export async function peer(name, version) {
  const isThere = () => existsSync(join(folder, 'node_modules', name, 'package.json'));
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}');
  if (!isThere()) {
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `${name}@${version}`], { cwd: folder });
  }
  if (isThere()) return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href);
  process.stderr.write(`${name} could not be installed, so it is left out\n`);
  return undefined;
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

export const quantile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};

export const round = (value, digits = 2) => Number(value.toFixed(digits));

/** The same numbers in every run. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
