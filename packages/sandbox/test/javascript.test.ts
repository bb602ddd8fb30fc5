import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodeRuntime, DTYPES } from '../src/interface.ts';
import { createJavaScriptRuntime } from '../src/javascript/runtime.ts';
import { repeatable } from '../src/javascript/top-level.ts';
import { npy } from './npy.ts';
import { runtimeSuite } from './runtime-suite.ts';

runtimeSuite('JavaScript', createJavaScriptRuntime, {
  print: (text) => `console.log(${JSON.stringify(text)})`,
  complain: (text) => `console.error(${JSON.stringify(text)})`,
  setX: 'const x = 42',
  printX: 'print(x)',
  fail: "function f() { throw new TypeError('no') }\nf()",
  failureSays: 'TypeError: no',
  broken: 'function (',
  loop: 'while (true) {}',
  printMuch: "for (let i = 0; i < 100; i++) print('ä'.repeat(50))",
  double: 'function predict({ x }) { return { ...x, data: x.data.map((v) => v * 2) } }',
  noPredict: 'const predict = 5',
  wrongResult: 'const predict = () => undefined',
});

describe('JavaScript alone', () => {
  let runtime: CodeRuntime;
  let folder: string;
  beforeAll(async () => {
    runtime = createJavaScriptRuntime();
    folder = await mkdtemp(join(tmpdir(), 'atoll-javascript-'));
  });
  afterAll(async () => {
    await runtime.close();
    await rm(folder, { recursive: true });
  });

  test('declares the same names again in a later call', async () => {
    const session = await runtime.open();
    await session.run('const a = 1; let { b } = { b: 2 };');
    expect(await session.run('const a = 3\nlet b = 4\nprint(a, b)')).toMatchObject({ ok: true, stdout: '3 4\n' });
    await session.close();
  });

  test('awaits what a promise says, and shows values as people write them', async () => {
    const session = await runtime.open();
    const { failure } = await session.run("(async () => { await null; throw new RangeError('late') })()");
    expect(failure).toMatchObject({ kind: 'exception', message: 'RangeError: late' });
    const { stdout } = await session.run('print([1, { a: 2n }], new Float32Array([1.5]), undefined, null, () => 1)');
    expect(stdout).toBe('[1,{"a":"2"}] [1.5] undefined null [function anonymous]\n');
    expect((await session.run('throw null')).failure).toEqual({ kind: 'exception', message: 'Thrown: null' });
    await session.close();
  });

  test('has as much memory as was asked for, more or less than usual', async () => {
    const take = (count: number) =>
      `const kept = []; for (let i = 0; i < ${count}; i++) kept.push(new ArrayBuffer(1e6))`;
    for (const [mb, fits, tooMuch] of [
      [64, 25, 70],
      [256, 150, 300],
    ] as const) {
      const session = await runtime.open({ limits: { memoryBytes: mb * 1024 * 1024 } });
      expect((await session.run(take(fits))).failure).toBeUndefined();
      expect((await session.run(take(tooMuch))).failure?.kind).toBe('memory');
      await session.close();
    }
  });

  test('reads granted files, and no others', async () => {
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'hellö');
    const find = async (id: string) => (id === 'ds-1' ? { name: 'notes.txt', path } : undefined);
    const session = await runtime.open({ files: { functionName: 'get_memory_path', find } });
    const code =
      "const path = get_memory_path('ds-1', 'notes.txt'); print(path, readText(path), readBytes(path).byteLength)";
    expect((await session.run(code)).stdout).toBe('/files/ds-1/notes.txt hellö 6\n');
    expect((await session.run("get_memory_path('ds-2', 'x')")).failure?.message).toBe(
      "Error: No file with the id 'ds-2'",
    );
    expect((await session.run("readText('/etc/passwd')")).failure?.message).toContain("No file at '/etc/passwd'");
    await session.close();
  });

  test.each(DTYPES)('carries %s both ways', async (dtype) => {
    const size = Number(/\d+/.exec(dtype)?.[0] ?? 8) / 8;
    const data = new Uint8Array(size * 3).map((_, n) => (n * 5) % 60);
    const kind = { b: 'b', i: 'i', u: 'u', f: 'f' }[dtype[0]!];
    const path = join(folder, `${dtype}.npy`);
    await writeFile(path, npy(`${size === 1 ? '|' : '<'}${kind}${size}`, [3], data));
    const session = await runtime.open();
    for (const input of [{ dtype, shape: [3], data }, { npy: path }]) {
      const { tensor, failure } = await session.predict('const predict = async ({ x }) => x', { x: input });
      expect(failure).toBeUndefined();
      expect(tensor).toEqual({ dtype, shape: [3], data });
    }
    await session.close();
  });

  test.each([
    [
      'another type of array',
      "{ dtype: 'float64', shape: [2], data: new Float32Array(4) }",
      'must be a Float64Array, not a Float32Array',
    ],
    ['too few values', "{ dtype: 'float64', shape: [3], data: new Float64Array(2) }", 'needs 24 bytes, not 16'],
    ['an unknown dtype', "{ dtype: 'complex64', shape: [1], data: new Float64Array(1) }", 'dtype must be one of'],
    ['a shape that is no list', "{ dtype: 'uint8', shape: 3, data: new Uint8Array(3) }", 'shape must be an array'],
    ['negative sizes', "{ dtype: 'uint8', shape: [-1, -3], data: new Uint8Array(3) }", 'whole numbers from 0 up'],
    ['a plain list', "{ dtype: 'uint8', shape: [1], data: [1] }", 'must be a typed array'],
    [
      'a disguised object',
      "{ dtype: 'uint8', shape: [1], data: { [Symbol.toStringTag]: 'Uint8Array', buffer: new ArrayBuffer(1) } }",
      'must be a typed array',
    ],
    ['getters that throw', '{ get dtype() { throw 1 } }', 'predict must return'],
  ])('refuses a result with %s', async (_, result, words) => {
    const session = await runtime.open();
    const { failure, tensor } = await session.predict(`const predict = () => (${result})`, {});
    expect(failure?.kind).toBe('refused');
    expect(failure?.message).toContain(words);
    expect(tensor).toBeUndefined();
    await session.close();
  });
});

test.each([
  ['const a = 1', 'var a = 1'],
  ['let a = `const b`; // let c\nconst d = "let e"', 'var a = `const b`; // let c\nvar d = "let e"'],
  ['for (let i = 0; i < 1; i++) { const x = i }', 'for (let i = 0; i < 1; i++) { const x = i }'],
  ['const f = () => { let x = 1 }\nx.const = letter', 'var f = () => { let x = 1 }\nx.const = letter'],
])('makes %j repeatable', (code, expected) => {
  expect(repeatable(code)).toBe(expected);
});
