import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeRuntime } from '../src/interface.ts';

/** The same small programs in each language. */
export interface Words {
  readonly print: (text: string) => string;
  readonly complain: (text: string) => string;
  readonly setX: string;
  readonly printX: string;
  readonly fail: string;
  readonly failureSays: string;
  readonly broken: string;
  readonly loop: string;
  readonly printMuch: string;
  readonly double: string;
  readonly noPredict: string;
  readonly wrongResult: string;
}

/** What every runtime with sessions and predictions does alike. */
export function runtimeSuite(name: string, create: (options?: object) => CodeRuntime, words: Words): void {
  describe(name, () => {
    let runtime: CodeRuntime;
    beforeAll(() => {
      runtime = create();
    });
    afterAll(() => runtime.close());

    test('says that it works and which walls are up', async () => {
      const capability = await runtime.probe();
      expect(capability).toMatchObject({ available: true, language: runtime.language });
      expect(capability.walls.length).toBeGreaterThan(1);
    });

    test('keeps output and complaints apart, and state from call to call', async () => {
      const session = await runtime.open();
      const first = await session.run(`${words.setX}\n${words.print('out ä 字')}\n${words.complain('err')}`);
      expect(first).toMatchObject({ ok: true, stdout: 'out ä 字\n', stderr: 'err\n', statePreserved: true });
      expect(first.truncated).toEqual({ stdout: false, stderr: false });
      expect(await session.run(words.printX)).toMatchObject({ ok: true, stdout: '42\n', stderr: '' });
      await session.close();
    });

    test('tells an exception with its traceback, and goes on', async () => {
      const session = await runtime.open();
      await session.run(words.setX);
      const { failure, ok, statePreserved } = await session.run(words.fail);
      expect({ ok, statePreserved, kind: failure?.kind }).toEqual({
        ok: false,
        statePreserved: true,
        kind: 'exception',
      });
      expect(failure?.message).toBe(words.failureSays);
      expect(failure?.traceback).toContain(words.failureSays);
      expect(failure?.traceback).not.toContain(process.cwd());
      expect((await session.run(words.broken)).failure?.message).toContain('SyntaxError');
      expect((await session.run(words.printX)).stdout).toBe('42\n');
      await session.close();
    });

    test('interrupts what runs too long and keeps the state', async () => {
      const session = await runtime.open({ limits: { graceMs: 20_000 } });
      await session.run(words.setX);
      const result = await session.run(words.loop, { timeoutMs: 200 });
      expect(result).toMatchObject({ ok: false, failure: { kind: 'timeout' }, statePreserved: true });
      expect(result.failure?.message).toContain('200 ms');
      expect((await session.run(words.printX)).stdout).toBe('42\n');
      await session.close();
    });

    test('stops when the caller wants it, by interrupt or by signal', async () => {
      const session = await runtime.open({ limits: { graceMs: 20_000 } });
      await session.run(words.setX);
      const running = session.run(words.loop);
      const interrupting = setInterval(() => void session.interrupt(), 50);
      expect(await running).toMatchObject({ failure: { kind: 'interrupted' }, statePreserved: true });
      clearInterval(interrupting);
      const aborted = await session.run(words.loop, { signal: AbortSignal.timeout(100) });
      expect(aborted).toMatchObject({ failure: { kind: 'interrupted' }, statePreserved: true });
      expect((await session.run(words.printX)).stdout).toBe('42\n');
      await session.close();
    });

    test('keeps the beginning of long output and says so', async () => {
      const session = await runtime.open({ limits: { outputBytes: 1_000 } });
      const { ok, stdout, truncated } = await session.run(words.printMuch);
      expect({ ok, truncated }).toEqual({ ok: true, truncated: { stdout: true, stderr: false } });
      expect(stdout.length).toBeLessThanOrEqual(1_000);
      expect(stdout.startsWith('äää')).toBe(true);
      await session.close();
    });

    test('refuses code that is too long, and limits that are out of range', async () => {
      const session = await runtime.open({ limits: { codeBytes: 100 } });
      expect((await session.run(' '.repeat(101))).failure?.kind).toBe('refused');
      await expect(session.run('1', { timeoutMs: 600_001 })).rejects.toThrow('timeoutMs must be from 1 to 600000');
      await session.close();
      await expect(runtime.open({ limits: { memoryBytes: 1 } })).rejects.toMatchObject({ code: 'limit' });
    });

    test('serves the calls of a session one after another', async () => {
      const session = await runtime.open();
      const results = await Promise.all([1, 2, 3].map((n) => session.run(words.print(String(n)))));
      expect(results.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n', '3\n']);
      await session.close();
    });

    test('says of a closed session that it was closed', async () => {
      const session = await runtime.open();
      await session.close();
      expect(session.ended).toBe('closed');
      const { failure } = await session.run(words.print('1'));
      expect(failure).toEqual({ kind: 'unavailable', message: 'This session was closed; open a new one' });
    });

    test('predicts', async () => {
      const session = await runtime.open({ purpose: 'prediction' });
      const data = new Uint8Array(new Float64Array([1, 2, 3, 4, 5, 6]).buffer);
      const { ok, tensor } = await session.predict(words.double, { x: { dtype: 'float64', shape: [2, 3], data } });
      expect({ ok, dtype: tensor?.dtype, shape: tensor?.shape }).toEqual({ ok: true, dtype: 'float64', shape: [2, 3] });
      expect(new Float64Array(tensor!.data.buffer)).toEqual(new Float64Array([2, 4, 6, 8, 10, 12]));
      await session.close();
    });

    test('refuses tensors and results that are none', async () => {
      const session = await runtime.open({ purpose: 'prediction' });
      const short = { dtype: 'float64', shape: [2], data: new Uint8Array(8) } as const;
      expect((await session.predict(words.double, { x: short })).failure).toEqual({
        kind: 'refused',
        message: "Tensor 'x': float64 of shape [2] needs 16 bytes, not 8",
      });
      expect((await session.predict(words.noPredict, {})).failure?.kind).toBe('refused');
      expect((await session.predict(words.wrongResult, {})).failure?.kind).toBe('refused');
      expect((await session.predict(words.double, { x: { npy: '/nowhere.npy' } })).failure?.kind).toBe('refused');
      await session.close();
    });

    test('ends idle sessions, and the longest idle one when room is needed', async () => {
      const small = create({ maxSessions: 1, idleMs: 2_500 });
      const first = await small.open();
      const second = await small.open();
      expect(first.ended).toBe('replaced');
      expect((await first.run(words.print('1'))).failure?.message).toContain('made room for another');
      await expect.poll(() => second.ended, { timeout: 30_000 }).toBe('idle');
      await small.close();
    });
  });
}
