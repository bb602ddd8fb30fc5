import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStdio } from './connect.ts';
import { canTrace, readTrace, traced } from './system-trace.ts';

export interface PrivacySuiteOptions {
  /** Path of the built program. It is started on stdio with an empty home, temporary folder and data folder. */
  readonly cli: string;
  readonly args?: readonly string[];
  /** Uses every part of the program that could talk to the outside. `dataDir` is its only folder to write to. */
  readonly workout: (client: Client, dataDir: string) => Promise<void>;
  /** Paths beside the data folder that the program may write to. */
  readonly mayWrite?: readonly string[];
}

// onnxruntime's telemetry starts about ten seconds after its first session, so a short watch would miss it.
const WATCHED_MS = 20_000;
const TEST_TIMEOUT_MS = 300_000;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** What another user of the machine could read, or change. */
async function openToOthers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => ({ name, mode: (await stat(join(folder, name))).mode })));
  return modes.filter(({ mode }) => mode & 0o077).map(({ name, mode }) => `${(mode & 0o777).toString(8)} ${name}`);
}

/** Shows by its system calls that a program stays on this machine and in its folders. Left out where strace cannot run. */
export function privacySuite(options: PrivacySuiteOptions): void {
  // A summary of tests may read from `meta` what is missing.
  const meta: object = { needs: 'strace' };
  const left = canTrace() ? {} : { skip: true, meta };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-privacy-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const emptyPlaces = async () => {
    const [home = '', temporary = '', dataDir = ''] = await Promise.all(
      ['home-', 'tmp-', 'data-'].map((name) => mkdtemp(join(folder, name))),
    );
    const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary, XDG_CACHE_HOME: join(home, '.cache') };
    return { home, temporary, dataDir, env };
  };

  test('the watch sees an address, a look-up and a file, so that it can fail', left, async () => {
    const { home, env } = await emptyPlaces();
    const script = `require('node:dgram').createSocket('udp4').connect(9, '192.0.2.1', function () { this.close(); });
      require('node:dns').lookup('localhost', () => {});
      require('node:fs').writeFileSync(process.env.HOME + '/left', '');`;
    const log = join(folder, 'control.txt');
    const { command, args } = traced(log, process.execPath, ['-e', script]);
    spawnSync(command, args, { env });
    const seen = readTrace(log);
    expect(seen.addresses).toContain('192.0.2.1');
    expect(seen.lookups).toContain('/etc/hosts');
    expect(seen.written).toContain(join(home, 'left'));
  });

  test('in use it opens no connection beyond this machine, looks up no name and writes only to its folder, for its user alone', {
    ...left,
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const { home, temporary, dataDir, env } = await emptyPlaces();
    const log = join(folder, 'server.txt');
    const args = [options.cli, '--data-dir', dataDir, ...(options.args ?? [])];
    const client = await connectStdio({ ...traced(log, process.execPath, args), env });
    const started = Date.now();
    await options.workout(client, dataDir);
    await pause(Math.max(0, WATCHED_MS - (Date.now() - started)));
    // Still alive: what was watched is a running program.
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();

    const seen = readTrace(log);
    const places = [dataDir, temporary, '/dev/', '/proc/', ...(options.mayWrite ?? [])];
    expect(seen.addresses.filter((address) => !LOOPBACK.test(address))).toEqual([]);
    expect(seen.lookups).toEqual([]);
    expect(seen.written.filter((path) => !places.some((place) => path.startsWith(place)))).toEqual([]);
    expect(seen.written.some((path) => path.startsWith(dataDir))).toBe(true);
    expect(await readdir(home)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
    expect(await openToOthers(dataDir)).toEqual([]);
  });
}
