import { SandboxError, unavailable } from '../errors.ts';
import type { Capability, CodeRuntime, RuntimeOptions, SqlOptions, SqlSession } from '../interface.ts';
import { resolveLimits } from '../limits.ts';
import { SessionPool } from '../session-pool.ts';
import { SqlThreadSession } from './session.ts';

/** SQL over the tables that a session is given, and over nothing else. */
export function createSqlRuntime(options: RuntimeOptions = {}): CodeRuntime<SqlOptions, SqlSession> {
  const pool = new SessionPool(options);
  let probed: Promise<Capability> | undefined;

  async function attack(): Promise<Capability> {
    const session = new SqlThreadSession(pool, resolveLimits('sql'));
    await session.load([{ name: 'probe', columns: [{ name: 'n', type: 'integer' }], rows: [[1]] }]);
    const version = await session.run('SELECT sqlite_version() FROM probe');
    const attached = await session.run("ATTACH 'other' AS other");
    const written = await session.run('WITH x AS (SELECT 1) DELETE FROM probe');
    await session.end('closed');
    const base = { language: 'sql', packages: {} } as const;
    if (version.ok && !attached.ok && !written.ok)
      return { ...base, available: true, walls: ['webassembly', 'thread'], version: `SQLite ${version.rows[0]?.[0]}` };
    return { ...base, available: false, walls: [], reason: 'SQL failed its self-test' };
  }

  const runtime: CodeRuntime<SqlOptions, SqlSession> = {
    language: 'sql',
    probe() {
      probed ??= attack();
      return probed;
    },
    async open({ tables, ...settings }: SqlOptions = { tables: [] }) {
      const limits = resolveLimits('sql', { ...settings, limits: { ...options.limits, ...settings.limits } });
      const capability = await runtime.probe();
      if (!capability.available) throw unavailable(capability);
      const session = new SqlThreadSession(pool, limits);
      await pool.enter(session);
      const failed = await pool.use(session, () => session.load(tables));
      if (!failed) return session;
      await session.close();
      throw new SandboxError('limit', `The tables could not be loaded: ${failed.failure?.message}`);
    },
    close: () => pool.closeAll(),
  };
  return runtime;
}
