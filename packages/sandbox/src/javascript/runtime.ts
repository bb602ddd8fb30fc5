import { unavailable } from '../errors.ts';
import type { Capability, CodeRuntime, RuntimeOptions, SessionOptions } from '../interface.ts';
import { resolveLimits } from '../limits.ts';
import { SessionPool } from '../session-pool.ts';
import { JavaScriptSession } from './session.ts';

/** What a context must not have. */
const OUTSIDE =
  "[typeof process, typeof require, typeof fetch, typeof WebAssembly, typeof std, typeof os].every((is) => is === 'undefined')";
const INSIDE = "(() => {}).constructor('return this')() === globalThis";

/** JavaScript in QuickJS, which is WebAssembly in a thread: no file, no network, no process is there to reach. */
export function createJavaScriptRuntime(options: RuntimeOptions = {}): CodeRuntime {
  const pool = new SessionPool(options);
  let probed: Promise<Capability> | undefined;

  async function attack(): Promise<Capability> {
    const limits = resolveLimits('javascript');
    const session = new JavaScriptSession({ pool, limits, files: undefined });
    const { ok, stdout, failure } = await session.run(`print(${OUTSIDE} && ${INSIDE})`, { timeoutMs: 30_000 });
    await session.end('closed');
    const base = { language: 'javascript', packages: {} } as const;
    if (ok && stdout === 'true\n')
      return { ...base, available: true, walls: ['webassembly', 'thread'], version: 'QuickJS' };
    return {
      ...base,
      available: false,
      walls: [],
      reason: `JavaScript failed its self-test: ${failure?.message ?? 'it is not closed'}`,
    };
  }

  const runtime: CodeRuntime = {
    language: 'javascript',
    probe() {
      probed ??= attack();
      return probed;
    },
    async open({ files, ...options_ }: SessionOptions = {}) {
      const limits = resolveLimits('javascript', { ...options_, limits: { ...options.limits, ...options_.limits } });
      const capability = await runtime.probe();
      if (!capability.available) throw unavailable(capability);
      const session = new JavaScriptSession({ pool, limits, files });
      await pool.enter(session);
      return session;
    },
    close: () => pool.closeAll(),
  };
  return runtime;
}
