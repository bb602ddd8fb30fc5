import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports a library that we are measured against, installed when it is first needed; undefined where it cannot be had. */
export async function peer(name, version) {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'atoll', 'bench');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const require = createRequire(join(folder, 'package.json'));
  const find = () => {
    try {
      return require.resolve(name);
    } catch {
      return undefined;
    }
  };
  if (!find())
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `${name}@${version}`], { cwd: folder });
  const path = find();
  if (!path) process.stderr.write(`${name} could not be installed, so it is left out\n`);
  return path && import(pathToFileURL(path).href);
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
