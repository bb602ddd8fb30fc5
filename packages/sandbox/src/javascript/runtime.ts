import { workerScript } from '../assets.ts';
import { unavailable } from '../errors.ts';
import type { Capability, CodeRuntime, RuntimeOptions, SessionOptions } from '../interface.ts';
import { resolveLimits } from '../limits.ts';
import { SessionPool } from '../session-pool.ts';
import { ThreadReserve } from '../thread-reserve.ts';
import { quickjsModule } from '../wasm.ts';
import { JavaScriptSession } from './session.ts';

/** What a context must not have, and where its own functions must end. */
const SELF_TEST = `print(
  [typeof process, typeof require, typeof fetch, typeof WebAssembly, typeof std, typeof os].every((is) => is === 'undefined')
  && (() => {}).constructor('return this')() === globalThis)`;
const REFUSED: Capability = {
  language: 'javascript',
  available: false,
  walls: [],
  packages: {},
  reason: 'JavaScript failed its self-test',
  fix: 'Install @atoll-mcp/sandbox again: its QuickJS does not start or is not isolated',
};

/** JavaScript in QuickJS, which is WebAssembly in a thread: no file, no network, no process is there to reach. */
export function createJavaScriptRuntime(options: RuntimeOptions = {}): CodeRuntime {
  const pool = new SessionPool(options);
  const threads = new ThreadReserve(workerScript('javascript-worker'), quickjsModule);
  let probed: Promise<Capability> | undefined;

  async function selfTest(): Promise<Capability> {
    const session = new JavaScriptSession({ pool, threads, limits: resolveLimits('javascript'), files: undefined });
    const { stdout } = await session.run(SELF_TEST);
    await session.end('closed');
    if (stdout !== 'true\n') return REFUSED;
    return {
      language: 'javascript',
      available: true,
      walls: ['webassembly', 'thread'],
      packages: {},
      version: 'QuickJS',
    };
  }

  const runtime: CodeRuntime = {
    language: 'javascript',
    probe() {
      probed ??= selfTest().catch(() => REFUSED);
      return probed;
    },
    async open({ files, limits: wanted }: SessionOptions = {}) {
      const limits = resolveLimits('javascript', { limits: { ...options.limits, ...wanted } });
      const capability = await runtime.probe();
      if (!capability.available) throw unavailable(capability);
      const session = new JavaScriptSession({ pool, threads, limits, files });
      await pool.enter(session);
      return session;
    },
    async close() {
      await Promise.all([pool.closeAll(), threads.close()]);
    },
  };
  return runtime;
}
