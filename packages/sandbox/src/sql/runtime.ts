import { workerScript } from '../assets.ts';
import { SandboxError, unavailable } from '../errors.ts';
import type { Capability, CodeRuntime, RuntimeOptions, SqlOptions, SqlSession } from '../interface.ts';
import { resolveLimits } from '../limits.ts';
import { SessionPool } from '../session-pool.ts';
import { ThreadReserve } from '../thread-reserve.ts';
import { sqliteModule } from '../wasm.ts';
import { SqlThreadSession } from './session.ts';

/** Statements that must not get through. */
const ATTACKS = ["ATTACH 'other' AS other", 'WITH x AS (SELECT 1) DELETE FROM probe', 'PRAGMA query_only = OFF'];
const REFUSED: Capability = {
  language: 'sql',
  available: false,
  walls: [],
  packages: {},
  reason: 'SQL failed its self-test',
  fix: 'Install @atoll-mcp/sandbox again: its SQLite does not start or is not isolated',
};

/** SQL over the tables that a session is given, and over nothing else. */
export function createSqlRuntime(options: RuntimeOptions = {}): CodeRuntime<SqlOptions, SqlSession> {
  const pool = new SessionPool(options);
  const threads = new ThreadReserve(workerScript('sql-worker'), sqliteModule);
  let probed: Promise<Capability> | undefined;

  async function selfTest(): Promise<Capability> {
    const session = new SqlThreadSession(pool, threads, resolveLimits('sql'));
    await session.load([{ name: 'probe', columns: [{ name: 'n', type: 'integer' }], rows: [[1]] }]);
    const version = await session.run('SELECT sqlite_version() FROM probe');
    const through = [];
    for (const attack of ATTACKS) if ((await session.run(attack)).ok) through.push(attack);
    await session.end('closed');
    if (!version.ok || through.length > 0) return REFUSED;
    const walls = ['webassembly', 'thread'] as const;
    return { language: 'sql', available: true, walls, packages: {}, version: `SQLite ${version.rows[0]?.[0]}` };
  }

  const runtime: CodeRuntime<SqlOptions, SqlSession> = {
    language: 'sql',
    probe() {
      probed ??= selfTest().catch(() => REFUSED);
      return probed;
    },
    async open({ tables, limits: wanted }: SqlOptions = { tables: [] }) {
      const limits = resolveLimits('sql', { limits: { ...options.limits, ...wanted } });
      const capability = await runtime.probe();
      if (!capability.available) throw unavailable(capability);
      const session = new SqlThreadSession(pool, threads, limits);
      await pool.enter(session);
      try {
        const failed = await pool.use(session, () => session.load(tables));
        if (!failed) return session;
        throw new SandboxError('limit', `The tables could not be loaded: ${failed.failure?.message}`);
      } catch (error) {
        await session.close();
        throw error;
      }
    },
    async close() {
      await Promise.all([pool.closeAll(), threads.close()]);
    },
  };
  return runtime;
}
