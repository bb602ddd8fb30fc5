import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeRuntime, Json } from '../../src/interface.ts';
import { createJavaScriptRuntime } from '../../src/javascript/runtime.ts';
import { decodeFromThread } from '../../src/thread-messages.ts';

let runtime: CodeRuntime;
beforeAll(() => {
  runtime = createJavaScriptRuntime();
});
afterAll(() => runtime.close());

const ODD = '{ toString: 1, valueOf: 1, toJSON: 1 }';
const THROWN: Readonly<Record<string, string>> = {
  'an error with an object for a name': `const e = new Error('x'); e.name = ${ODD}; throw e`,
  'an error with an object for a message': `const e = new Error('x'); e.message = ${ODD}; throw e`,
  'an error with an object for a stack': `throw { name: 'a', message: 'b', stack: ${ODD} }`,
  'an object without a text': `throw ${ODD}`,
  'an object with prototype names': `throw JSON.parse('{"__proto__":{"name":"x"},"constructor":1}')`,
  'a proxy': `throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })`,
  'a symbol': `throw Symbol('x')`,
  'nested lists': `let a = []; for (let n = 0; n < 200000; n++) a = [a]; throw a`,
  'lone surrogates': `throw new Error('\\ud800')`,
  'a text of 20 MB': `throw 'x'.repeat(20 << 20)`,
  'a circle': `const a = {}; a.a = a; throw a`,
};

test.each(Object.entries(THROWN))('%s that is thrown does no harm', async (_, code) => {
  const [session, other] = [await runtime.open(), await runtime.open()];
  const { ok, failure } = await session.run(code);
  expect(ok).toBe(false);
  expect(failure?.kind).toMatch(/exception|memory|crashed/);
  expect(failure?.message.length).toBeLessThanOrEqual(4_100);
  expect(await other.run('print(1)')).toMatchObject({ ok: true, stdout: '1\n' });
  await Promise.all([session.close(), other.close()]);
});

const RESULTS: Readonly<Record<string, string>> = {
  'an object as a dtype': `{ dtype: ${ODD}, shape: [1], data: new Float64Array(1) }`,
  'a prototype name as a dtype': `{ dtype: 'constructor', shape: [1], data: new Float64Array(1) }`,
  'objects as a shape': `{ dtype: 'float64', shape: [${ODD}], data: new Float64Array(1) }`,
  'NaN as a shape': `{ dtype: 'float64', shape: [NaN], data: new Float64Array(1) }`,
  'a forged description': `(Object.prototype.toJSON = () => ({ problem: ${ODD} }), { dtype: 'float64', shape: [1], data: new Float64Array(1) })`,
  'no description': `(Object.prototype.toJSON = () => undefined, { dtype: 'float64', shape: [1], data: new Float64Array(1) })`,
};

test.each(Object.entries(RESULTS))('a prediction with %s is refused', async (_, result) => {
  const session = await runtime.open();
  const { failure, tensor } = await session.predict(`function predict() { return ${result} }`, {});
  expect(failure).toMatchObject({ kind: 'refused' });
  expect(tensor).toBeUndefined();
  await session.close();
});

describe('calls of host functions', () => {
  const seen: Json[] = [];
  const host = async (name: string, args: Json) => {
    seen.push([name, args]);
    return null;
  };
  const run = async (code: string, limits = {}) => {
    seen.length = 0;
    const session = await runtime.open({ limits });
    const result = await session.run(code, { host, returnValue: true });
    await session.close();
    return result;
  };
  const caught = (code: string, limits = {}) => run(`try { ${code} } catch (error) { 'caught: ' + error }`, limits);

  test.each([
    ['deeper than is taken', 'let a = []; for (let n = 0; n < 500; n++) a = [a]; await call("x", a)'],
    ['nested 200,000 deep', 'let a = []; for (let n = 0; n < 200000; n++) a = [a]; await call("x", a)'],
    ['a circle', 'const a = {}; a.a = a; await call("x", a)'],
    ['a function', 'await call("x", () => 1)'],
    ['a number without JSON', 'await call("x", 1n)'],
    ['64 MB of one key', 'await call("x", { ["k".repeat(64 << 20)]: 1 })'],
    ['a name without a text', `await call(${ODD}, 1)`],
  ])('arguments that are %s are an error in the code and reach nobody', async (_, code) => {
    const result = await caught(code);
    if (result.ok) expect(result.value).toMatch(/^caught: /);
    else expect(result.failure?.kind).toMatch(/memory|exception/);
    expect(seen).toEqual([]);
  });

  test('what is sent is what JSON can carry', async () => {
    await run('await call("__proto__", [NaN, -0, undefined, "\\ud800", new Date(NaN)])');
    expect(seen).toEqual([['__proto__', [null, 0, null, '\\ud800'.length === 6 ? expect.any(String) : '', null]]]);
    await run(`await call("x", JSON.parse('{"__proto__":{"a":1},"a":2,"a":3}'))`);
    expect(JSON.stringify(seen)).toBe('[["x",{"__proto__":{"a":1},"a":3}]]');
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  test('code that changes the built-in objects changes nothing for the host', async () => {
    const code = `
      Promise.prototype.then = function () { throw 1 };
      globalThis.Promise = function () { return { then(f) { f('forged') } } };
      JSON.parse = JSON.stringify = () => '"forged"';
      Object.prototype.toJSON = undefined;
      Array.prototype[Symbol.iterator] = function* () { throw 2 };
      await call('real', { a: 1 })`;
    await run(code);
    expect(seen).toEqual([['real', { a: 1 }]]);
  });

  test('a flood of calls ends at its limits and leaves other sessions alone', async () => {
    const other = await runtime.open();
    const flood = await run('for (;;) call("x", "y".repeat(1000))', { wallMs: 1_000, hostCalls: 50 });
    expect(flood).toMatchObject({ ok: false });
    expect(seen.length).toBeLessThanOrEqual(50);
    const large = await run('const a = "y".repeat(1 << 20); for (let n = 0; n < 100; n++) call("x", a + n); 1', {
      memoryBytes: 64 << 20,
      // The memory has to run out first, on a busy machine too.
      wallMs: 100_000,
    });
    // What did not fit into the memory of the session was never sent.
    expect(large.failure?.kind ?? 'memory').toBe('memory');
    expect(seen.length).toBeLessThan(64 + 16);
    expect(await other.run('print(1)')).toMatchObject({ ok: true, stdout: '1\n' });
    await other.close();
  });

  test('code that makes calls without end in its promises is stopped', async () => {
    const { failure } = await run('const f = () => call("x").then(f, f); await f()', {
      wallMs: 500,
      hostCalls: 100_000,
    });
    expect(failure?.kind).toBe('timeout');
  });
});

test.each([
  ['nothing', null],
  ['a text', 'answer'],
  ['no type', {}],
  ['an inherited type', Object.create({ type: 'answer', answer: {} })],
  ['a prototype name as a type', { type: 'constructor' }],
  ['an answer that is none', { type: 'answer', answer: 'x' }],
  ['a file question with objects', { type: 'file', id: { toString: 1 }, name: 'a' }],
  ['a call without a number', { type: 'call', call: Number.NaN, name: 'a', args: '1' }],
  ['a call with objects', { type: 'call', call: 1, name: { toString: 1 }, args: {} }],
  ['output to nowhere', { type: 'output', stream: '__proto__', text: 'x' }],
])('a message of a thread with %s does not pass', (_, message) => {
  expect(() => decodeFromThread(message)).toThrow();
});
