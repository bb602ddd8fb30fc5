import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeRuntime, Json, RunOptions } from '../src/interface.ts';
import { createJavaScriptRuntime } from '../src/javascript/runtime.ts';

let runtime: CodeRuntime;
beforeAll(() => {
  runtime = createJavaScriptRuntime();
});
afterAll(() => runtime.close());

async function run(code: string, options: RunOptions = {}, limits = {}) {
  const session = await runtime.open({ limits });
  const result = await session.run(code, { returnValue: true, ...options });
  await session.close();
  return result;
}
const echo = async (name: string, args: Json) => ({ name, args });

describe('host functions of JavaScript', () => {
  test('a call carries JSON both ways', async () => {
    const args = { text: 'ä 字 😀 "\\', list: [1, 2.5, null, true], __proto__: 'no', constructor: { deep: [[]] } };
    const { value, failure } = await run(`await call('echo', ${JSON.stringify(args)})`, { host: echo });
    expect(failure).toBeUndefined();
    expect(value).toEqual({ name: 'echo', args: JSON.parse(JSON.stringify(args)) });
  });

  test('calls made together are under way at the same time, as many as are allowed', async () => {
    let [now, most] = [0, 0];
    const waiting: (() => void)[] = [];
    const host = async (_: string, n: Json) => {
      most = Math.max(most, ++now);
      if (now < 4) await new Promise<void>((resolve) => waiting.push(resolve));
      for (const resume of waiting.splice(0)) resume();
      now--;
      return Number(n) * 2;
    };
    const code = 'await Promise.all(Array.from({length: 12}, (_, n) => call("twice", n)))';
    const { value } = await run(code, { host }, { hostCallsAtOnce: 4 });
    expect(value).toEqual(Array.from({ length: 12 }, (_, n) => n * 2));
    expect(most).toBe(4);
  });

  test('arguments that do not fit into the limit together wait in the sandbox', async () => {
    let [now, most] = [0, 0];
    const host = async (_: string, text: Json) => {
      const { length } = text as string;
      now += length;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= length;
      return length;
    };
    const code = 'const s = "x".repeat(200_000); await Promise.all(Array.from({ length: 40 }, () => call("size", s)))';
    const { value } = await run(code, { host }, { jsonBytes: 1_500_000, hostCallsAtOnce: 256 });
    expect(value).toEqual(Array.from({ length: 40 }, () => 200_000));
    expect(most).toBeGreaterThan(200_000);
    expect(most).toBeLessThanOrEqual(1_500_000);
  });

  test('an error of the host is an error in the code, with its message', async () => {
    const host = async () => {
      throw new Error('not allowed');
    };
    const code = 'try { await call("x", {}) } catch (error) { print(error instanceof Error, error.message) }';
    expect(await run(code, { host })).toMatchObject({ ok: true, stdout: 'true not allowed\n' });
    const uncaught = await run('await call("x", {})', { host });
    expect(uncaught).toMatchObject({ ok: false, failure: { kind: 'exception', message: 'Error: not allowed' } });
  });

  test('a reset leaves nothing of the runs before, whatever they did', async () => {
    const session = await runtime.open();
    const stop = new AbortController();
    const hang = () => {
      stop.abort();
      return new Promise<Json>(() => {});
    };
    const programs: [string, RunOptions][] = [
      [
        'globalThis.left = 1; Array.prototype.push = () => 0; Object.prototype.x = 1; Promise.prototype.then = null',
        {},
      ],
      ['throw new Error("no")', {}],
      [
        'const held = []; held.push(held); globalThis.f = () => held; call("a", {}); await call("b", {})',
        { host: echo },
      ],
      ['await call("hang", {})', { host: hang, signal: stop.signal }],
      ['writeText("out/a.txt", "a")', { collectFiles: true }],
    ];
    for (const [code, options] of programs) {
      await session.run(code, options);
      await session.reset?.();
      const look = 'const list = []; list.push(1); [typeof left, typeof f, typeof call, ({}).x ?? null, list.length]';
      const { value } = await session.run(look, { returnValue: true });
      expect(value).toEqual(['undefined', 'undefined', 'undefined', null, 1]);
      await session.reset?.();
    }
    expect(session.ended).toBeUndefined();
    await session.close();
    await session.reset?.();
    expect(session.ended).toBe('closed');
  });

  test('a session tells whether its code waits for host functions or computes', async () => {
    const session = await runtime.open();
    let settle = (_: Json) => {};
    const asked = new Promise<void>((called) => {
      const host = () =>
        new Promise<Json>((resolve) => {
          settle = resolve;
          called();
        });
      void session.run('await call("x", {}); for (;;) {}', { host, timeoutMs: 400 });
    });
    await asked;
    await expect.poll(() => session.isWaiting).toBe(true);
    settle(1);
    await expect.poll(() => session.isWaiting).toBe(false);
    await session.close();
  });

  test('state lasts from run to run, and a run without host functions has none', async () => {
    const session = await runtime.open();
    await session.run('const tools = new Proxy({}, { get: (_, name) => (args) => call(name, args) })', { host: echo });
    const { value } = await session.run('await tools.search({ q: 1 })', { host: echo, returnValue: true });
    expect(value).toEqual({ name: 'search', args: { q: 1 } });
    const { failure } = await session.run('await tools.search({ q: 1 })');
    expect(failure?.message).toBe('Error: This run has no host functions');
    await session.close();
  });

  test.each([
    ['await call("echo", 5)', { name: 'echo', args: 5 }],
    ['call("echo")', { name: 'echo', args: null }],
    ['const x = 20; x + 1', 21],
    ['return 5', 5],
    ['for (const n of [1, 2, 3]) { if (n === 2) return await call("echo", n); }', { name: 'echo', args: 2 }],
    ['const f = async () => (await call("echo", 1)).args; f()', 1],
    ['[NaN, Infinity, new Float64Array([1, 2])]', [null, null, [1, 2]]],
    ['undefined', undefined],
  ] as const)('the value of %s is returned', async (code, value) => {
    const result = await run(code, { host: echo });
    expect(result.failure).toBeUndefined();
    expect(result.value).toEqual(value);
  });

  test('code that waits for what never happens has not ended well', async () => {
    const { failure } = await run('await new Promise(() => {}); 5', { host: echo });
    expect(failure).toMatchObject({ kind: 'exception', message: expect.stringContaining('never settled') });
    expect((await run('new Promise(() => {})')).failure?.kind).toBe('refused');
    expect((await run('return new Promise(() => {})')).failure?.kind).toBe('exception');
  });

  test('a result that does not fit into the memory of the session ends the run', async () => {
    const host = async () => 'x'.repeat(7 << 20);
    const code = 'const kept = []; for (;;) kept.push(...(await Promise.all([call("x"), call("x")])))';
    const { ok, failure } = await run(code, { host }, { memoryBytes: 32 << 20 });
    expect({ ok, kind: failure?.kind }).toEqual({ ok: false, kind: 'memory' });
  });

  test('a value that is not JSON is refused with the reason', async () => {
    const circular = await run('const a = {}; a.a = a; a');
    expect(circular.failure).toMatchObject({ kind: 'refused' });
    expect(circular.failure?.message).toContain('circular');
    const large = await run('"x".repeat(5000)', {}, { jsonBytes: 1_024 });
    expect(large.failure).toMatchObject({ kind: 'refused' });
    expect(large.failure?.message).toContain('5002 bytes');
  });

  test('calls beyond the limit are answered with an error', async () => {
    let calls = 0;
    const host = async () => ++calls;
    const code = `const outcomes = await Promise.allSettled(Array.from({length: 30}, () => call('x')));
      outcomes.filter(({status}) => status === 'rejected').map(({reason}) => reason.message)`;
    const { value } = await run(code, { host }, { hostCalls: 10 });
    expect(value).toEqual(Array(20).fill('At most 10 calls are made in one run'));
    expect(calls).toBe(10);
  });

  test('arguments and results that are too large are answered with an error', async () => {
    const host = async (name: string) => (name === 'large' ? 'x'.repeat(5_000) : 1);
    const of = (code: string) => run(`try { ${code} } catch (error) { error.message }`, { host }, { jsonBytes: 1_024 });
    expect((await of('await call("small", "x".repeat(5000))')).value).toContain('at most 1024');
    expect((await of('await call("large")')).value).toContain('at most 1 kB');
    expect((await of('await call("x".repeat(5000))')).value).toContain('at most 1000 characters');
  });

  test('a result of the host that is not JSON is answered with an error', async () => {
    const host = async () => ({ n: 1n }) as unknown as Json;
    const { value } = await run('try { await call("x") } catch (error) { error.message }', { host });
    expect(value).toContain('BigInt');
  });

  test('a run that ends aborts the calls that are under way', async () => {
    for (const stop of ['timeout', 'signal', 'interrupt', 'throw', 'close'] as const) {
      const session = await runtime.open();
      const started = deferred();
      const aborted = deferred();
      const caller = new AbortController();
      const host = (_: string, __: Json, signal: AbortSignal) =>
        new Promise<Json>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve();
            reject(new Error('aborted'));
          });
          started.resolve();
        });
      const code = stop === 'throw' ? 'call("x"); throw new Error("own")' : 'var x = 42; await call("x")';
      const running = session.run(code, { host, signal: caller.signal, ...(stop === 'timeout' && { timeoutMs: 300 }) });
      await started.promise;
      if (stop === 'signal') caller.abort();
      if (stop === 'interrupt') await session.interrupt();
      if (stop === 'close') await session.close();
      const result = await running;
      await aborted.promise;
      const kind = {
        timeout: 'timeout',
        signal: 'interrupted',
        interrupt: 'interrupted',
        throw: 'exception',
        close: 'crashed',
      }[stop];
      expect({ stop, kind: result.failure?.kind }).toEqual({ stop, kind });
      if (stop === 'close') continue;
      expect(result.statePreserved).toBe(true);
      if (stop !== 'throw') expect((await session.run('print(x)')).stdout).toBe('42\n');
      await session.close();
    }
  });

  test('a late result reaches no later run', async () => {
    const session = await runtime.open();
    const late = deferred();
    const host = async (name: string) => {
      if (name === 'late') await late.promise;
      return name;
    };
    expect(await session.run('await call("late")', { host, timeoutMs: 100 })).toMatchObject({ ok: false });
    late.resolve();
    const { value } = await session.run('await call("next")', { host, returnValue: true });
    expect(value).toBe('next');
    await session.close();
  });

  test('files written into out/ come back, each version once', async () => {
    const session = await runtime.open();
    const code = `writeText('out/a.txt', 'ä'); writeText('out/a.txt', 'ö');
      writeBytes('out/plots/b.bin', new Uint8Array([1, 2, 3, 4]).subarray(1, 3));
      writeBytes('out/c.bin', new Float64Array([1]).buffer)`;
    const { files, refusedFiles, failure } = await session.run(code, { collectFiles: true });
    expect(failure).toBeUndefined();
    expect(refusedFiles).toEqual([]);
    expect(files?.map(({ name, data }) => [name, [...data]])).toEqual([
      ['a.txt', [...Buffer.from('ö')]],
      ['plots/b.bin', [2, 3]],
      ['c.bin', [...new Uint8Array(new Float64Array([1]).buffer)]],
    ]);
    expect((await session.run('1', { collectFiles: true })).files).toEqual([]);
    expect((await session.run('1')).files).toBeUndefined();
    await session.close();
  });

  test('files beyond the limits or outside of out/ are refused with the reason', async () => {
    const limits = { outputFiles: 2, outputFileBytes: 1_000 };
    const code = `const told = [];
      for (const [path, size] of [['out/large', 2000], ['out/../x', 1], ['/etc/passwd', 1], ['out/1', 1], ['out/2', 1], ['out/3', 1]])
        try { writeText(path, 'x'.repeat(size)) } catch (error) { told.push(error.message) }
      told`;
    const { value, files, refusedFiles } = await run(code, { collectFiles: true }, limits);
    expect(files?.map(({ name }) => name)).toEqual(['1', '2']);
    expect(refusedFiles).toEqual([
      { name: 'large', reason: 'It has 2000 bytes; the files of one run may have 1000 bytes together' },
      { name: '../x', reason: 'Its name is not a plain path' },
      { name: '3', reason: 'More than 2 files were written' },
    ]);
    expect(value).toHaveLength(4);
  });

  test('output is told while the code runs', async () => {
    const seen: string[] = [];
    const host = async () => seen.join('');
    const code = 'print("one"); console.error("two"); const told = await call("seen"); print("three"); told';
    const { value, stdout } = await run(code, {
      host,
      onOutput: (stream, text) => void seen.push(`${stream}:${text}`),
    });
    expect(value).toContain('stdout:one');
    expect(value).toContain('stderr:two');
    expect(value).not.toContain('three');
    expect(
      seen
        .filter((text) => text.startsWith('stdout'))
        .map((text) => text.slice(7))
        .join(''),
    ).toBe(stdout);
  });

  test('told output is bounded as kept output is', async () => {
    let told = 0;
    const onOutput = (_: string, text: string) => {
      told += text.length;
    };
    await run('for (let n = 0; n < 5000; n++) print("x".repeat(99))', { onOutput }, { outputBytes: 2_000 });
    expect(told).toBe(2_000);
  });
});

function deferred() {
  let resolve: (value?: unknown) => void = () => {};
  const promise = new Promise<unknown>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
