import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import type { CodeRuntime } from '../src/interface.ts';
import { createPythonRuntime } from '../src/python/runtime.ts';
import { npy } from './npy.ts';
import { describeWays, isComplete } from './python-environment.ts';
import { runtimeSuite } from './runtime-suite.ts';

const WORDS = {
  print: (text: string) => `print(${JSON.stringify(text)})`,
  complain: (text: string) => `import sys; print(${JSON.stringify(text)}, file=sys.stderr)`,
  setX: 'x = 42',
  printX: 'print(x)',
  fail: "def f(): raise KeyError('no')\nf()",
  failureSays: "KeyError: 'no'",
  broken: 'def (',
  loop: 'while True: pass',
  printMuch: "for _ in range(100): print('ä' * 50)",
  double: "def predict(tensors): return tensors['x'] * 2",
  noPredict: 'predict = 5',
  wrongResult: 'def predict(tensors): return None',
};

describeWays('bubblewrap', (bubblewrap) => {
  runtimeSuite('Python', (options = {}) => createPythonRuntime({ bubblewrap, preload: ['numpy'], ...options }), WORDS);

  let runtime: CodeRuntime;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-python-'));
    runtime = createPythonRuntime({ bubblewrap, preload: ['numpy'], readableFolders: [folder] });
  });
  afterAll(async () => {
    await runtime.close();
    await rm(folder, { recursive: true });
  });

  test('keeps the state when memory runs out', async () => {
    const session = await runtime.open();
    await session.run('x = 42');
    const { failure, statePreserved } = await session.run('y = bytearray(3 << 30)');
    expect(failure).toEqual({ kind: 'memory', message: 'The code needed more than 2 GB of memory' });
    expect(statePreserved).toBe(true);
    expect((await session.run('print(x)')).stdout).toBe('42\n');
    await session.close();
  });

  test('tells apart how an interpreter ended', async () => {
    const ends = {
      'import os; os._exit(3)': 'ended itself with status 3',
      'import os; os.abort()': 'was ended by SIGABRT',
    };
    for (const [code, words] of Object.entries(ends)) {
      const session = await runtime.open();
      const { failure, statePreserved } = await session.run(code);
      expect(failure).toEqual({ kind: 'crashed', message: `The code's interpreter ${words}` });
      expect(statePreserved).toBe(false);
      expect(session.ended).toBe('killed');
    }
  });

  test('kills what does not heed an interrupt, and says that the state is gone', async () => {
    const session = await runtime.open({ limits: { graceMs: 100 } });
    const code = 'import time\nwhile True:\n  try: time.sleep(0.01)\n  except BaseException: pass';
    expect(await session.run(code, { timeoutMs: 100 })).toMatchObject({
      failure: { kind: 'timeout' },
      statePreserved: false,
    });
    expect((await session.run('1')).failure?.message).toContain('was killed in an earlier call');
  });

  test('reserves room in a file as far as its limits go', async () => {
    const session = await runtime.open();
    const code =
      "import os; f = open('room', 'wb'); os.posix_fallocate(f.fileno(), 0, 1 << 20); print(os.fstat(f.fileno()).st_size)";
    expect(await session.run(code)).toMatchObject({ ok: true, stdout: '1048576\n' });
    await session.close();
  });

  test('runs several sessions at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => runtime.open()));
    const results = await Promise.all(
      sessions.map((session, n) => session.run(`import time; time.sleep(0.1); print(${n})`)),
    );
    expect(results.map(({ stdout }) => stdout)).toEqual(['0\n', '1\n', '2\n', '3\n']);
    await Promise.all(sessions.map((session) => session.close()));
  });

  test.each([
    'bool',
    'int8',
    'int16',
    'int32',
    'int64',
    'uint8',
    'uint16',
    'uint32',
    'uint64',
    'float16',
    'float32',
    'float64',
  ] as const)('carries %s both ways, from memory, from a mapped file and from a copied one', async (dtype) => {
    const bytes = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, float16: 2, int32: 4, uint32: 4, float32: 4 };
    const size = bytes[dtype as keyof typeof bytes] ?? 8;
    const data = new Uint8Array(size * 4).map((_, n) => (dtype === 'bool' ? n % 2 : (n * 7) % 100));
    const kind = { b: 'b', i: 'i', u: 'u', f: 'f' }[dtype[0]!];
    const path = join(folder, `${dtype}.npy`);
    await writeFile(path, npy(`${size === 1 ? '|' : '<'}${kind}${size}`, [2, 2], data));
    const session = await runtime.open({ purpose: 'prediction' });
    const model = `def predict(tensors):\n  assert str(tensors['x'].dtype) == '${dtype}'\n  return tensors['x']`;
    for (const input of [{ npy: path }, { npy: path }, { dtype, shape: [2, 2], data }]) {
      const { tensor, failure } = await session.predict(model, { x: input });
      expect(failure).toBeUndefined();
      expect(tensor).toEqual({ dtype, shape: [2, 2], data });
    }
    await session.close();
  });

  test('takes the same file for two inputs', async () => {
    const path = join(folder, 'twice.npy');
    await writeFile(path, npy('|u1', [2], new Uint8Array([3, 4])));
    const session = await runtime.open({ purpose: 'prediction' });
    const model = "def predict(tensors): return tensors['a'] + tensors['b']";
    const { tensor } = await session.predict(model, { a: { npy: path }, b: { npy: path } });
    expect(tensor?.data).toEqual(new Uint8Array([6, 8]));
    await session.close();
  });

  test('takes scalars, empty arrays and big-endian results, and refuses what is no numeric array', async () => {
    const session = await runtime.open({ purpose: 'prediction' });
    const predict = (expression: string) =>
      session.predict(`import numpy as np\ndef predict(tensors): return ${expression}`, {});
    expect((await predict('np.float64(3)')).tensor).toMatchObject({ shape: [], dtype: 'float64' });
    expect((await predict('np.zeros((0, 3), dtype=np.int8)')).tensor).toMatchObject({ shape: [0, 3], dtype: 'int8' });
    for (const [kind, value] of [
      ['list', '[[1, 2], [3, 4]]'],
      ['tuple', '(1, 2)'],
    ]) {
      expect((await predict(value!)).failure).toMatchObject({
        kind: 'refused',
        message: `predict returned a ${kind}; return a NumPy array, such as numpy.array(result)`,
      });
    }
    expect((await predict("np.array([1], dtype='>i2')")).tensor?.data).toEqual(new Uint8Array([1, 0]));
    expect((await predict('np.asfortranarray(np.array([[1, 2], [3, 4]], dtype=np.uint8))')).tensor?.data).toEqual(
      new Uint8Array([1, 2, 3, 4]),
    );
    for (const wrong of [
      "'text'",
      'None',
      '{}',
      "np.array(['a'])",
      'np.array([object()])',
      "np.zeros(2, dtype='i4,f4')",
      '1j',
      '[[1], [2, 3]]',
    ])
      expect((await predict(wrong)).failure?.kind).toBe('refused');
    await session.close();
  });

  test('refuses a result that is too large before it is sent', async () => {
    const session = await runtime.open({ limits: { resultBytes: 1_000 } });
    const { failure } = await session.predict('import numpy as np\ndef predict(tensors): return np.zeros(1000)', {});
    expect(failure).toEqual({ kind: 'refused', message: 'predict returned 8000 bytes; the limit is 1000' });
    await session.close();
  });

  test('gives each session randomness and a scratch folder of its own, and an empty environment', async () => {
    const sessions = [await runtime.open(), await runtime.open()];
    const code =
      'import os, random, tempfile, numpy\nprint(numpy.random.rand(), random.random())\nassert not os.environ and not os.listdir()\ntempfile.NamedTemporaryFile().write(b"x")';
    const [one, other] = await Promise.all(sessions.map((session) => session.run(code)));
    expect(one).toMatchObject({ ok: true });
    expect(one!.stdout).not.toBe(other!.stdout);
    await Promise.all(sessions.map((session) => session.close()));
  });

  test(
    'runs what people use: Excel files, a regression, a forest, boosted trees',
    requires(isComplete, 'python'),
    async () => {
      const session = await runtime.open();
      const code = `
import pandas as pd, numpy as np
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.ensemble import RandomForestRegressor
from xgboost import XGBRegressor
pd.DataFrame({'a': [1.0, 2, 3], 'b': [2.0, 4, 6]}).to_excel('book.xlsx', index=False)
frame = pd.read_excel('book.xlsx')
print(round(LinearRegression().fit(frame[['a']], frame['b']).predict(pd.DataFrame({'a': [4.0]}))[0], 6))
print(RandomForestRegressor(5).fit(frame[['a']], frame['b']).predict(frame[['a']]).shape)
print(XGBRegressor(n_estimators=3).fit(frame[['a']], frame['b']).predict(frame[['a']]).shape)
print(round(stats.pearsonr(frame['a'], frame['b'])[0], 6))`;
      const { stdout, failure } = await session.run(code, { timeoutMs: 120_000 });
      expect(failure).toBeUndefined();
      expect(stdout).toBe('8.0\n(3,)\n(3,)\n1.0\n');
      expect((await session.run('import matplotlib')).failure?.message).toContain('ModuleNotFoundError');
      await session.close();
    },
  );

  test('starts again after its parent process died', async () => {
    const before = zygotePids();
    const own = createPythonRuntime({ bubblewrap, preload: [] });
    const session = await own.open();
    await session.run('x = 1');
    const running = session.run('while True: pass');
    for (const pid of zygotePids()) if (!before.includes(pid)) killIfAlive(Number(pid));
    expect(await running).toMatchObject({ ok: false, failure: { kind: 'crashed' }, statePreserved: false });
    await expect
      .poll(async () => (await own.open().then((next) => next.run('print(2)'))).stdout, { timeout: 30_000 })
      .toBe('2\n');
    await own.close();
  });

  test('leaves no process and no folder behind', async () => {
    const own = createPythonRuntime({ bubblewrap, preload: [] });
    const session = await own.open();
    void session.run('while True: pass');
    await expect.poll(() => zygotes(), { timeout: 30_000 }).toBeGreaterThan(1);
    const before = zygotes();
    await own.close();
    await expect.poll(() => zygotes(), { timeout: 30_000 }).toBeLessThan(before);
    expect((await session.run('1')).failure?.kind).toBe('unavailable');
  });
});

test('no runtime leaves its folder behind', async () => {
  const mine = (await readdir(tmpdir())).filter((name) => name.startsWith(`atoll-sandbox-${process.pid}-`));
  expect(mine).toEqual([]);
});

test('without a Python nothing runs, and the refusal names the repair', async () => {
  const runtime = createPythonRuntime({ python: '/nowhere/python3' });
  const capability = await runtime.probe();
  const fix = expect.stringMatching(/^node \S+cli\.js setup-python$/);
  expect(capability).toMatchObject({ available: false, walls: [], fix });
  await expect(runtime.open()).rejects.toMatchObject({ code: 'unavailable', fix });
  await runtime.close();
});

const zygotes = () => zygotePids().length;

/** The end of one of the processes takes others along, sooner or later. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Python processes of the sandbox that this test process started, directly or not. */
function zygotePids(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const mine = new Set([String(process.pid)]);
  for (let found = true; found; ) {
    const more = lines.filter(([pid, parent]) => !mine.has(pid!) && mine.has(parent!));
    for (const [pid] of more) mine.add(pid!);
    found = more.length > 0;
  }
  return lines
    .filter(([pid, , ...args]) => mine.has(pid!) && args.join(' ').includes('zygote.py'))
    .map(([pid]) => pid!);
}
