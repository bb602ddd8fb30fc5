import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import { createPythonRuntime } from '../src/python/runtime.ts';
import { requirementsFile } from '../src/python/setup/install-pypi.ts';
import { defaultPythonDir, isOpenToOthers, isRoot } from '../src/python/setup/places.ts';
import { setupPython } from '../src/python/setup/setup.ts';
import { claimSetup, clearSetupState, readSetupState, writeSetupState } from '../src/python/setup/setup-state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-setup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the place of the Python environment', requires(platform() === 'linux', 'linux'), () => {
  test('is where ATOLL_PYTHON_DIR says', () => {
    expect(defaultPythonDir({ ATOLL_PYTHON_DIR: '/some/where' })).toBe('/some/where');
  });

  test("is in the user's data folder, unless root's is closed to the user that runs untrusted code", async () => {
    await mkdir(join(folder, 'open'));
    const place = defaultPythonDir({ XDG_DATA_HOME: join(folder, 'open') });
    expect(place).toBe(isRoot() ? '/var/lib/atoll/python' : join(folder, 'open', 'atoll', 'python'));
    if (!isRoot()) expect(defaultPythonDir({})).toBe(join(homedir(), '.local', 'share', 'atoll', 'python'));
    expect(isOpenToOthers('/usr/lib')).toBe(true);
    expect(isOpenToOthers(folder)).toBe(false);
  });
});

describe('a set-up', () => {
  test('can be claimed by one process at a time, and tells others how far it is', async () => {
    const dir = join(folder, 'python');
    expect(await readSetupState(dir)).toBeUndefined();
    expect(await claimSetup(dir)).toBe(true);
    expect(await claimSetup(dir)).toBe(false);
    await writeSetupState(dir, { percent: 40, step: 'getting numpy', pid: process.pid });
    expect(await readSetupState(dir)).toMatchObject({ percent: 40, step: 'getting numpy' });
    await clearSetupState(dir);
    expect(await readSetupState(dir)).toBeUndefined();
  });

  test('refuses at once where it cannot write, and names the way out', async () => {
    await writeFile(join(folder, 'file'), '');
    const refusal = { code: 'unavailable', fix: expect.stringContaining('--python-dir') };
    await expect(setupPython({ pythonDir: join(folder, 'file', 'python') })).rejects.toMatchObject(refusal);
    await mkdir(join(folder, 'python.setup.json'));
    await expect(claimSetup(join(folder, 'python'))).rejects.toMatchObject(refusal);
  });

  test('of a process that died counts for nothing', async () => {
    const dir = join(folder, 'python');
    await writeFile(`${dir}.setup.json`, JSON.stringify({ percent: 40, step: 'x', pid: 2 ** 22 + 1 }));
    expect(await readSetupState(dir)).toBeUndefined();
    expect(await claimSetup(dir)).toBe(true);
  });

  test('under way is what a runtime without Python answers', requires(platform() === 'linux', 'linux'), async () => {
    const dir = join(folder, 'python');
    await claimSetup(dir);
    await writeSetupState(dir, { percent: 40, step: 'getting numpy', pid: process.pid });
    const runtime = createPythonRuntime({ pythonDir: dir, python: join(dir, 'bin/python') });
    expect(await runtime.probe()).toMatchObject({
      available: false,
      reason: 'Python is being set up: 40 % (getting numpy)',
      setup: { percent: 40, step: 'getting numpy' },
    });
    await runtime.close();
  });

  test('never replaces a folder that holds something else', requires(platform() === 'linux', 'linux'), async () => {
    const dir = join(folder, 'precious');
    await mkdir(dir);
    await writeFile(join(dir, 'thesis.txt'), 'x');
    const outcome = await setupPython({ pythonDir: dir }).catch((error: Error) => error.message);
    // A system Python that has everything is taken as it is, and nothing is made.
    if (typeof outcome === 'string') expect(outcome).toContain('something other than a Python environment');
    expect((await stat(join(dir, 'thesis.txt'))).isFile()).toBe(true);
  });
});

test('every package is pinned, and by hash', async () => {
  const entries = (await readFile(requirementsFile, 'utf8')).split(/\n(?=\S)/).filter(Boolean);
  expect(entries.length).toBeGreaterThan(10);
  for (const entry of entries) expect(entry).toMatch(/^[\w.-]+==[\d.]+[\s\S]*--hash=sha256:[0-9a-f]{64}/);
  const text = entries.join('\n');
  for (const name of ['numpy', 'pandas', 'openpyxl', 'xlrd', 'scipy', 'scikit-learn', 'xgboost-cpu'])
    expect(text).toContain(`${name}==`);
  expect(text).not.toMatch(/matplotlib|nvidia|https?:/);
});
