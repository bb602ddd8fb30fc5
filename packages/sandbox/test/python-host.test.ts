import { afterAll, beforeAll, expect, test } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import type { CodeRuntime, Json, RunOptions } from '../src/interface.ts';
import { createPythonRuntime } from '../src/python/runtime.ts';
import { describeWays, isComplete } from './python-environment.ts';

const echo = async (name: string, args: Json) => ({ name, args });

describeWays('host functions of Python, bubblewrap', (bubblewrap) => {
  let runtime: CodeRuntime;
  beforeAll(() => {
    runtime = createPythonRuntime({ bubblewrap, preload: ['numpy'] });
  });
  afterAll(() => runtime.close());

  async function run(code: string, options: RunOptions = {}, limits = {}) {
    const session = await runtime.open({ limits });
    const result = await session.run(code, { returnValue: true, ...options });
    await session.close();
    return result;
  }

  test('a call carries JSON both ways', async () => {
    const args = { text: 'ä 字 😀 "\\', list: [1, 2.5, true], constructor: { deep: [[]] } };
    const { value, failure } = await run(
      `import json\ncall('echo', json.loads(${JSON.stringify(JSON.stringify(args))}))`,
      {
        host: echo,
      },
    );
    expect(failure).toBeUndefined();
    expect(value).toEqual({ name: 'echo', args });
  });

  test.each([
    ['call("echo", 5)["args"] + 1', 6],
    ['call("echo")', { name: 'echo', args: null }],
    ['x = 20\nx + 1', 21],
    ['x = 20', undefined],
    ['def f(): return [1, (2, 3), {"a": None}]\nf()', [1, [2, 3], { a: null }]],
    ['[float("nan"), float("inf"), 1.5]', [null, null, 1.5]],
    [
      'import numpy as np\n{"a": np.arange(3), "b": np.float64(2), "c": np.array([np.nan, 1])}',
      { a: [0, 1, 2], b: 2, c: [null, 1] },
    ],
    ['"\\ud800"', '?'],
    ['', undefined],
  ] as const)('the value of %j is returned', async (code, value) => {
    const result = await run(code, { host: echo });
    expect(result.failure).toBeUndefined();
    expect(result.value).toEqual(value);
  });

  test('values of more lists than the host has memory for are refused', async () => {
    const limits = { jsonBytes: 64 * 1024 * 1024 };
    const { failure } = await run('[[]] * 15_000_000', { host: echo }, limits);
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining('lists and objects') });
    const said = 'try: call("echo", [[]] * 15_000_000)\nexcept Exception as error: print(error)';
    expect((await run(said, { host: echo }, limits)).stdout).toContain('lists and objects');
  });

  test('a table is returned as its rows', requires(isComplete, 'python'), async () => {
    const code = 'import pandas as pd\npd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [0.5, float("nan")]})';
    expect((await run(code)).value).toEqual([
      { a: 1, b: 'x', c: 0.5 },
      { a: 2, b: null, c: null },
    ]);
  });

  test('an error of the host is an error in the code, with its message', async () => {
    const host = async () => {
      throw new Error('not allowed');
    };
    const { failure, statePreserved } = await run('call("x", {})', { host });
    expect(failure).toMatchObject({ kind: 'exception', message: 'RuntimeError: not allowed' });
    expect(statePreserved).toBe(true);
    expect((await run('call("x")')).failure?.message).toContain('call');
  });

  test('a value or arguments that are not JSON are refused with the reason', async () => {
    expect((await run('a = []\na.append(a)\na')).failure).toMatchObject({ kind: 'refused' });
    expect((await run('object()')).failure).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('object'),
    });
    expect((await run('"x" * 5000', {}, { jsonBytes: 1_024 })).failure?.message).toContain('5002 bytes');
    const code = 'try: call("x", "y" * 5000)\nexcept ValueError as error: told = str(error)\ntold';
    expect((await run(code, { host: echo }, { jsonBytes: 1_024 })).value).toContain('the limit is 1024');
    const deep =
      'a = []\nfor _ in range(500): a = [a]\ntry: call("x", a)\nexcept RuntimeError as error: told = str(error)\ntold';
    expect((await run(deep, { host: echo })).value).toContain('levels deep');
  });

  test('calls beyond the limit are answered with an error', async () => {
    let calls = 0;
    const host = async () => ++calls;
    const code = `
told = []
for _ in range(30):
    try: call('x')
    except RuntimeError as error: told.append(str(error))
told`;
    expect((await run(code, { host }, { hostCalls: 10 })).value).toEqual(
      Array(20).fill('At most 10 calls are made in one run'),
    );
    expect(calls).toBe(10);
  });

  test('calls of several threads are made one after another', async () => {
    const code = `
import concurrent.futures as futures
with futures.ThreadPoolExecutor(4) as pool: answers = list(pool.map(lambda n: call('echo', n)['args'], range(20)))
answers`;
    expect((await run(code, { host: echo })).value).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test('a run that ends aborts its call, keeps its state, and hears nothing of late results', async () => {
    for (const stop of ['timeout', 'signal', 'interrupt'] as const) {
      const session = await runtime.open({ limits: { graceMs: 20_000 } });
      const [started, aborted] = [deferred(), deferred()];
      const caller = new AbortController();
      const host = async (name: string, _: Json, signal: AbortSignal): Promise<Json> => {
        if (name === 'next') return 'next';
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted.resolve();
        return 'late';
      };
      const running = session.run('x = 42\ncall("slow")', {
        host,
        signal: caller.signal,
        ...(stop === 'timeout' && { timeoutMs: 300 }),
      });
      await started.promise;
      if (stop === 'signal') caller.abort();
      if (stop === 'interrupt') await session.interrupt();
      const result = await running;
      await aborted.promise;
      expect(result).toMatchObject({
        failure: { kind: stop === 'timeout' ? 'timeout' : 'interrupted' },
        statePreserved: true,
      });
      for (let n = 0; n < 3; n++)
        expect((await session.run('[call("next"), x]', { host, returnValue: true })).value).toEqual(['next', 42]);
      await session.close();
    }
  });

  test.each([
    ['a call without arguments', '{"call":"x","ask":1,"buffers":[]}'],
    ['a call with an object for a name', '{"call":{"toString":1},"ask":1,"buffers":[1]}1'],
    ['a call without a number', '{"call":"x","buffers":[1]}1'],
    ['arguments larger than its limit', '{"call":"x","ask":1,"buffers":[999999999]}'],
    ['a value larger than its limit', '{"answer":1,"buffers":[999999999]}'],
    ['files that are not a list', '{"answer":1,"files":{"length":1},"refused":[],"buffers":[]}'],
    ['files that are not objects', '{"answer":1,"files":[null],"refused":[],"buffers":[]}'],
    ['a file with an object for a name', '{"answer":1,"files":[{"name":{"toString":1},"bytes":1}],"buffers":[]}'],
    ['a file with a size below zero', '{"answer":1,"files":[{"name":"a","bytes":-1}],"buffers":[]}'],
  ])('%s ends the session', async (_, message) => {
    const session = await runtime.open();
    const length = message.lastIndexOf('}') + 1;
    const code = `import os, struct, time; text = ${JSON.stringify(message)}.encode(); os.write(3, struct.pack('<I', ${length}) + text); time.sleep(30)`;
    expect(await session.run(code, { host: echo, collectFiles: true })).toMatchObject({
      ok: false,
      failure: { kind: 'crashed' },
    });
    expect(session.ended).toBe('killed');
  });

  test('arguments that are not JSON reach nobody', async () => {
    let calls = 0;
    const host = async () => ++calls;
    for (const text of ['NaN', '{', '', '['.repeat(5_000)]) {
      const session = await runtime.open();
      const header = JSON.stringify({ call: 'x', ask: 1, buffers: [text.length] });
      const code = `import os, struct; text = ${JSON.stringify(header)}.encode(); os.write(3, struct.pack('<I', len(text)) + text + ${JSON.stringify(text)}.encode()); import select; select.select([3], [], []); print(os.read(3, 65536))`;
      const { stdout } = await session.run(code, { host });
      expect(stdout).toContain('error');
      await session.close();
    }
    expect(calls).toBe(0);
  });

  test('calls out of turn end the session', async () => {
    const flood = `import os, struct; text = b'{"call":"x","ask":1,"buffers":[1]}'; os.write(3, (struct.pack('<I', len(text)) + text + b'1') * 500); import time; time.sleep(20)`;
    const session = await runtime.open();
    expect(await session.run(flood, { host: () => new Promise(() => {}) })).toMatchObject({
      failure: { kind: 'crashed' },
    });
  });

  test('output is told while the code runs', async () => {
    const seen: string[] = [];
    const first = deferred();
    const host = async () => {
      await first.promise;
      return seen.join('');
    };
    const onOutput = (stream: string, text: string) => {
      seen.push(`${stream}:${text}`);
      first.resolve();
    };
    const { value, stdout } = await run('print("ä one")\ntold = call("seen")\nprint("two")\ntold', { host, onOutput });
    expect(value).toContain('stdout:ä one');
    expect(value).not.toContain('two');
    expect(stdout).toBe('ä one\ntwo\n');
    expect(seen.join('').replaceAll('stdout:', '')).toBe(stdout);
  });

  test('files in out/ come back, each version once', async () => {
    const session = await runtime.open();
    const write = `
import os
os.makedirs('out/plots', exist_ok=True)
open('out/a.txt', 'w').write('one')
open('out/plots/b.bin', 'wb').write(bytes(range(256)))`;
    const first = await session.run(write, { collectFiles: true });
    expect(first.files?.map(({ name }) => name)).toEqual(['a.txt', 'plots/b.bin']);
    expect(Buffer.from(first.files![0]!.data).toString()).toBe('one');
    expect([...first.files![1]!.data]).toEqual(Array.from({ length: 256 }, (_, n) => n));
    expect((await session.run('1', { collectFiles: true })).files).toEqual([]);
    const changed = await session.run("open('out/a.txt', 'a').write(' two')\nraise ValueError()", {
      collectFiles: true,
    });
    expect(changed).toMatchObject({ ok: false, files: [{ name: 'a.txt' }] });
    expect((await session.run('print(1)')).files).toBeUndefined();
    await session.close();
  });

  test('files beyond the limits are refused with the reason', async () => {
    const code = `
import os
for number in range(5): open('out/%d' % number, 'wb').write(bytes(100))
open('out/9', 'wb').write(bytes(5000))
try: os.symlink('/etc/passwd', 'out/link')
except OSError: print('no links')
try: os.mkfifo('out/pipe')
except OSError: print('no pipes')`;
    const few = await run(code, { collectFiles: true }, { outputFiles: 3, outputFileBytes: 1_000 });
    expect(few.files).toHaveLength(3);
    expect(few.refusedFiles).toEqual([
      { name: '3', reason: 'More than 3 files were written' },
      { name: '4', reason: 'More than 3 files were written' },
      { name: '9', reason: 'More than 3 files were written' },
    ]);
    expect(few.stdout).toBe('no links\nno pipes\n');
    const large = await run(code, { collectFiles: true }, { outputFiles: 10, outputFileBytes: 1_000 });
    expect(large.refusedFiles).toEqual([
      { name: '9', reason: 'It has 5000 bytes; the files of one run may have 1000 bytes together' },
    ]);
  });

  test('forged file names lead nowhere', async () => {
    const names = ['../a', '/etc/passwd', 'a/../../b', '', 'a\\b', 'a\0b', 'x'.repeat(300), '.', 'a//b'];
    const header = JSON.stringify({
      answer: 1,
      files: names.map((name) => ({ name, bytes: 0 })),
      refused: [],
      buffers: [],
    });
    const session = await runtime.open();
    const code = `import os, struct, time; text = ${JSON.stringify(header)}.encode(); os.write(3, struct.pack('<I', len(text)) + text); time.sleep(30)`;
    const { files, refusedFiles } = await session.run(code, { collectFiles: true });
    expect(files).toEqual([]);
    expect(refusedFiles).toHaveLength(names.length);
    await session.close();
  });
});

function deferred() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
