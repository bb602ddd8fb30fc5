import { spawnSync } from 'node:child_process';
import { platform } from 'node:os';
import { describe } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import { findPython, WANTED_MODULES } from '../src/python/setup/find-python.ts';
import { defaultPythonDir } from '../src/python/setup/places.ts';

/** The Python that tests run with. Without one, `atoll-sandbox setup-python` was not run and its tests are left out. */
export const interpreter = platform() === 'linux' ? await findPython({ pythonDir: defaultPythonDir() }) : undefined;
export const isComplete = WANTED_MODULES.every((name) => interpreter?.modules.includes(name));

const jail = ['--unshare-user', '--ro-bind', '/', '/', 'true'];
export const hasBubblewrap = spawnSync('bwrap', jail, { stdio: 'ignore' }).status === 0;

/** A suite for each way in which Python is confined, with bubblewrap and without; left out where this machine lacks one. */
export function describeWays(title: string, run: (bubblewrap: 'required' | 'off') => void, more = {}): void {
  for (const way of ['required', 'off'] as const) {
    const needs = {
      ...requires(way === 'off' || hasBubblewrap, 'bubblewrap'),
      ...requires(interpreter, 'python'),
      ...more,
    };
    describe(`${title} ${way}`, needs, () => run(way));
  }
}
