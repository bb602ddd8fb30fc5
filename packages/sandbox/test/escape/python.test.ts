import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import type { CodeRuntime } from '../../src/interface.ts';
import { createPythonRuntime } from '../../src/python/runtime.ts';
import { describeWays, interpreter } from '../python-environment.ts';
import { PYTHON_ATTACKS, PYTHON_PRELUDE } from './attacks-python.ts';
import { canRunControls, runUnwalled } from './control.ts';
import { makeTargets, type Targets } from './targets.ts';

let targets: Targets;
beforeAll(async () => {
  process.env.ATOLL_SECRET = 'x';
  targets = await makeTargets();
});
afterAll(async () => {
  delete process.env.ATOLL_SECRET;
  await targets.close();
});

const program = (code: string) => {
  const words = Object.entries(targets.words).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [PYTHON_PRELUDE, ...words, code].join('\n');
};

describeWays('Python with bubblewrap', (bubblewrap) => {
  let runtime: CodeRuntime;
  beforeAll(() => {
    runtime = createPythonRuntime({ bubblewrap, preload: ['numpy'] });
  });
  afterAll(() => runtime.close());

  test.concurrent.each(PYTHON_ATTACKS)('cannot $name', { timeout: 60_000 }, async ({ code, limits = {} }) => {
    const session = await runtime.open({ purpose: 'prediction', limits: { wallMs: 20_000, ...limits } });
    const result = await session.run(program(code));
    await session.close();
    expect(result).toMatchObject({ ok: false });
    expect(result.failure?.kind).not.toBe('unavailable');
    expect(result.failure?.message).not.toContain('NameError');
  });

  test('leaves everything outside as it was', async () => {
    for (const name of ['secret', 'open', 'owned', 'doomed-1', 'doomed-2', 'doomed-3'])
      expect(await readFile(join(targets.outside, `${name}.txt`), 'utf8')).toBe('SECRET');
    expect((await stat(join(targets.outside, 'owned.txt'))).mode & 0o777).toBe(0o666);
    expect(() => process.kill(Number(targets.words.VICTIM), 0)).not.toThrow();
  });
});

describe('without the walls, Python as an unprivileged user', {
  ...requires(canRunControls(), 'namespaces'),
  ...requires(interpreter, 'python'),
}, () => {
  beforeAll(() => targets.restore());

  test.concurrent.each(PYTHON_ATTACKS)('can $name', { timeout: 90_000 }, async ({ code, asNamespaceRoot }) => {
    const python = [interpreter!.executable, '-I', '-S', '-B', '-'];
    expect(await runUnwalled(python, program(code), asNamespaceRoot)).toBe(true);
  });
});
