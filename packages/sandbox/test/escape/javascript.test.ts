import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import type { CodeRuntime, CodeSession } from '../../src/interface.ts';
import { createJavaScriptRuntime } from '../../src/javascript/runtime.ts';
import { JAVASCRIPT_ATTACKS } from './attacks-javascript.ts';
import { canRunControls, runUnwalled } from './control.ts';
import { makeTargets, type Targets } from './targets.ts';

let targets: Targets;
let runtime: CodeRuntime;
let shared: CodeSession;
const files = { functionName: 'get_memory_path', find: async () => undefined };
beforeAll(async () => {
  targets = await makeTargets();
  runtime = createJavaScriptRuntime();
  shared = await runtime.open({ files });
});
afterAll(async () => {
  await runtime.close();
  await targets.close();
});
const program = (code: string) => `var SECRET = ${JSON.stringify(`${targets.outside}/secret.txt`)};\n${code}`;

describe('JavaScript in the sandbox', () => {
  test.each(JAVASCRIPT_ATTACKS)('cannot $name', { timeout: 60_000 }, async ({ code, limits }) => {
    const session = limits ? await runtime.open({ files, limits }) : shared;
    const result = await session.run(program(code));
    if (limits) await session.close();
    expect(result).toMatchObject({ ok: false });
    expect(result.failure?.kind).not.toBe('unavailable');
  });

  test('a session that ran out of memory leaves the next one unharmed', async () => {
    const broken = await runtime.open({ limits: { memoryBytes: 32 * 1024 * 1024 } });
    const { failure } = await broken.run('const kept = []; for (;;) kept.push(new ArrayBuffer(1e6))');
    expect(failure?.kind).toBe('memory');
    const next = await runtime.open();
    expect(await next.run('print(1 + 1)')).toMatchObject({ ok: true, stdout: '2\n' });
    await next.close();
  });

  test('what one session changes in the built-in objects is not seen by another, nor by a prediction', async () => {
    const [one, other] = [await runtime.open(), await runtime.open()];
    await one.run('Array.prototype.map = () => "mine"; globalThis.left = 1; JSON.stringify = () => "mine"');
    expect(await other.run('print([1].map((x) => x), typeof left)')).toMatchObject({ stdout: '[1] undefined\n' });
    const model =
      "function predict() { return { dtype: 'uint8', shape: [1], data: new Uint8Array([[7].map((x) => x)[0]]) } }";
    expect((await one.predict(model, {})).tensor?.data).toEqual(new Uint8Array([7]));
    await Promise.all([one.close(), other.close()]);
  });
});

describe('without the walls, JavaScript as an unprivileged user', requires(canRunControls(), 'namespaces'), () => {
  test.concurrent.each(JAVASCRIPT_ATTACKS)('can $name', { timeout: 90_000 }, async ({ code }) => {
    const unhandled = "process.on('unhandledRejection', () => process.exit(1));";
    expect(await runUnwalled([process.execPath, '--input-type=commonjs', '-'], `${unhandled}${program(code)}`)).toBe(
      true,
    );
  });
});
