import { spawnSync } from 'node:child_process';
import { platform } from 'node:os';
import { findPython, WANTED_MODULES } from '../src/python/find-python.ts';
import { defaultPythonDir } from '../src/python/places.ts';

/** The Python that tests run with. Without one, `atoll-sandbox setup-python` was not run and its tests are left out. */
export const interpreter = platform() === 'linux' ? await findPython({ pythonDir: defaultPythonDir() }) : undefined;
export const isComplete = WANTED_MODULES.every((name) => interpreter?.modules.includes(name));

const jail = ['--unshare-user', '--ro-bind', '/', '/', 'true'];
export const hasBubblewrap = spawnSync('bwrap', jail, { stdio: 'ignore' }).status === 0;

/** Both ways in which Python is walled in, as far as this machine has them. */
export const WAYS = hasBubblewrap ? (['required', 'off'] as const) : (['off'] as const);
