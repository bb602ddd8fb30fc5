import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import type { CodeRuntime } from '../../src/interface.ts';
import { createPythonRuntime } from '../../src/python/runtime.ts';
import { npy, objectNpy } from '../npy.ts';
import { describeWays, interpreter } from '../python-environment.ts';
import { canRunControls, runUnwalled } from './control.ts';

const SESSION_ENDS = { ok: false, statePreserved: false };
const frame = (header: string) =>
  `import os, struct; text = ${JSON.stringify(header)}.encode(); os.write(3, struct.pack('<I', len(text)) + text)`;

describeWays('Python with bubblewrap', (bubblewrap) => {
  let runtime: CodeRuntime;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-tricks-'));
    runtime = createPythonRuntime({ bubblewrap, preload: ['numpy'], readableFolders: [folder] });
  });
  afterAll(async () => {
    await runtime.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    ['garbage', `import os; os.write(3, b'\\xff' * 4096)`],
    ['a frame that promises 4 GB', `import os; os.write(3, b'\\xfe\\xff\\xff\\xff')`],
    ['a buffer that promises 4 GB', frame('{"answer":1,"buffers":[4294967295]}')],
    ['buffers without end', frame(`{"answer":1,"buffers":[${Array(50).fill(1)}]}`)],
    ['a negative size', frame('{"answer":1,"buffers":[-1]}')],
    ['a header that is no object', frame('[1]')],
    ['an answer to another call', frame('{"answer":99,"buffers":[]}')],
    [
      'questions without waiting',
      `import os, struct; text = b'{"file":"a","name":"b","buffers":[]}'; os.write(3, (struct.pack('<I', len(text)) + text) * 1000)`,
    ],
  ])('ends a session that sends %s', async (_, forged) => {
    const session = await runtime.open();
    expect(await session.run(`${forged}\nimport time; time.sleep(20)`)).toMatchObject(SESSION_ENDS);
    expect(session.ended).toBe('killed');
    expect(await session.run('1')).toMatchObject({ ok: false, failure: { kind: 'unavailable' } });
  });

  test('believes nothing that a forged result says about itself', async () => {
    const session = await runtime.open();
    const forged = frame('{"answer":1,"dtype":"float64","shape":[1000000],"buffers":[0]}');
    const result = await session.predict(
      `import numpy as np\ndef predict(tensors):\n  ${forged}\n  return np.array([1])`,
      {},
    );
    expect(result).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(result.tensor).toBeUndefined();
    await session.close();
  });

  test.each([
    ['a segmentation fault', 'import ctypes; ctypes.string_at(0)'],
    ['an abort', 'import os; os.abort()'],
    ['endless recursion', 'import sys; sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()'],
    ['an exit', 'import os; os._exit(0)'],
    ['closing its connection', 'import os, time; os.close(3); time.sleep(0)'],
  ])('survives %s', async (_, code) => {
    const session = await runtime.open({ limits: { memoryBytes: 64 * 1024 * 1024 } });
    expect((await session.run(code)).ok).toBe(false);
    await session.close();
    const next = await runtime.open();
    expect(await next.run('print(1)')).toMatchObject({ ok: true, stdout: '1\n' });
    await next.close();
  });

  test('keeps two sessions apart', async () => {
    const [one, other] = [await runtime.open(), await runtime.open()];
    const { stdout } = await one.run(
      "import os\nleft = 1\nopen('mine.txt', 'w').write('x')\nprint(os.path.abspath('mine.txt'), os.getpid())",
    );
    const [path, pid] = stdout.trim().split(' ');
    expect(await other.run(`open(${JSON.stringify(path)})`)).toMatchObject({ ok: false });
    expect(await other.run(`import os; os.kill(${pid}, 9)`)).toMatchObject({ ok: false });
    expect(await other.run('left')).toMatchObject({ ok: false });
    expect(await other.run("import os; os.listdir('/work/sessions')")).toMatchObject({ ok: false });
    expect(await one.run("print(left, open('mine.txt').read())")).toMatchObject({ stdout: '1 x\n' });
    await Promise.all([one.close(), other.close()]);
  });

  test('lets nothing of a session run between its calls', async () => {
    const session = await runtime.open();
    await session.run(`
import threading, time
count = 0
def tick():
    global count
    while True: count += 1; time.sleep(0.001)
threading.Thread(target=tick, daemon=True).start()
time.sleep(0.05)`);
    const before = Number((await session.run('print(count)')).stdout);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = Number((await session.run('print(count)')).stdout);
    expect(before).toBeGreaterThan(0);
    expect(after - before).toBeLessThan(200);
    await session.close();
  });

  test('never reads a pickle', async () => {
    const path = join(folder, 'objects.npy');
    await writeFile(path, objectNpy('c__builtin__\nexec\n(S\'open("pickled", "w")\'\ntR.'));
    for (const tensor of [{ npy: path }]) {
      const session = await runtime.open();
      const model = 'import os, numpy as np\ndef predict(tensors): return np.array([1])';
      expect(await session.predict(model, { x: tensor })).toMatchObject({ ok: false, failure: { kind: 'refused' } });
      expect((await session.run("import os; print(os.path.exists('pickled'))")).stdout).toBe('False\n');
      await session.close();
    }
  });

  test('does not let a model change the stored tensor', async () => {
    const path = join(folder, 'stored.npy');
    await writeFile(path, npy('<f8', [3], new Uint8Array(new Float64Array([1, 2, 3]).buffer)));
    const before = await readFile(path);
    const session = await runtime.open({ purpose: 'prediction' });
    const model = "def predict(tensors):\n  tensors['x'][:] = 9\n  return tensors['x']";
    const { tensor } = await session.predict(model, { x: { npy: path } });
    expect(new Float64Array(tensor!.data.slice().buffer)).toEqual(new Float64Array([9, 9, 9]));
    expect(await readFile(path)).toEqual(before);
    for (const fd of [4, 5]) expect(await session.run(`import os; os.fchmod(${fd}, 0)`)).toMatchObject({ ok: false });
    await session.close();
  });

  test('grants a file for reading only', async () => {
    const path = join(folder, 'granted.txt');
    await writeFile(path, 'granted');
    const find = async (id: string) => (id === 'ds-1' ? { name: 'granted.txt', path } : undefined);
    const session = await runtime.open({ files: { functionName: 'get_memory_path', find } });
    const get = "p = get_memory_path('ds-1', 'granted.txt')";
    expect(await session.run(`${get}; print(p.read_text(), type(p).__mro__[-2].__name__)`)).toMatchObject({ ok: true });
    for (const change of [
      "p.write_text('x')",
      "open(p, 'a')",
      'p.unlink()',
      "p.rename('x')",
      'p.chmod(0o777)',
      "open(p.parent / 'new', 'w')",
    ])
      expect(await session.run(`${get}; ${change}`)).toMatchObject({ ok: false });
    expect((await session.run("get_memory_path('../../etc', 'passwd')")).failure?.message).toContain(
      "No file with the id '../../etc'",
    );
    expect((await session.run("get_memory_path('ds-1', 'other.txt')")).failure?.message).toContain(
      "named 'granted.txt'",
    );
    expect(await readFile(path, 'utf8')).toBe('granted');
    await session.close();
  });
});

test('without the walls a pickle in an .npy file runs code', {
  timeout: 60_000,
  ...requires(canRunControls(), 'namespaces'),
  ...requires(interpreter, 'python'),
}, async () => {
  const bytes = objectNpy('c__builtin__\nexec\n(S\'open("pickled", "w")\'\ntR.').toString('base64');
  const program = `
import base64, io, os, numpy
numpy.load(io.BytesIO(base64.b64decode('${bytes}')), allow_pickle=True) is None
assert os.path.exists('pickled')`;
  const guarded = program.replace('numpy.load(', 'try: numpy.load(').replace(' is None', '\nexcept Exception: pass');
  expect(await runUnwalled([interpreter!.executable, '-I', '-B', '-'], guarded)).toBe(true);
});
