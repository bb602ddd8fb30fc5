import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { after, tempDir } from '../harness.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const ROOT = join(import.meta.dirname, '../../../..');
const PROGRAMS = [
  'apps/aggregator',
  'packages/tensor-directory',
  'packages/msty-admin',
  'packages/cortex-embeddings',
  'packages/memorylake',
];

/** A file system of 64 MB, or undefined where this user may not mount one. */
function mountSmallDisk(): string | undefined {
  const folder = tempDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' });
    after(() => execFileSync('umount', ['--lazy', folder]));
    return folder;
  } catch {
    return undefined;
  }
}

async function healthAddress(folder: string, dataDir: string): Promise<URL> {
  const cli = join(ROOT, folder, 'dist/cli.js');
  const args = [cli, '--http', '--port', '0', '--data-dir', dataDir];
  const env = { PATH: process.env.PATH ?? '', HOME: tempDir() };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  after(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stderr })) {
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
    if (msg !== 'listening' || !url) continue;
    child.stderr.resume();
    return new URL('/health', url);
  }
  throw new Error(`${folder} did not listen`);
}

const healthAt = async (url: URL) => (await fetch(url)).json() as Promise<{ status: string; data_folder?: string }>;
const isWell = (status: string) => status === 'ok' || status === 'healthy';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.each(PROGRAMS)('the health of %s is degraded while the data folder is gone', async (folder) => {
  const dataDir = join(tempDir(), 'data');
  mkdirSync(dataDir);
  const url = await healthAddress(folder, dataDir);
  await expect.poll(async () => isWell((await healthAt(url)).status), { timeout: 30_000 }).toBe(true);
  rmSync(dataDir, { recursive: true });
  expect(await healthAt(url)).toMatchObject({ status: 'degraded', data_folder: 'the data folder is missing' });
  mkdirSync(dataDir);
  expect(isWell((await healthAt(url)).status)).toBe(true);
});

test.each(PROGRAMS)(
  'the health of %s is degraded while the disk is full',
  requires(canMount, 'small-disk'),
  async (folder) => {
    const disk = mountSmallDisk();
    if (disk === undefined) throw new Error('root may not mount here');
    const url = await healthAddress(folder, disk);
    await expect.poll(async () => isWell((await healthAt(url)).status), { timeout: 30_000 }).toBe(true);
    writeFileSync(join(disk, 'other'), Buffer.alloc(60 << 20));
    expect(await healthAt(url)).toMatchObject({
      status: 'degraded',
      data_folder: 'the disk of the data folder is full',
    });
    rmSync(join(disk, 'other'));
    expect(isWell((await healthAt(url)).status)).toBe(true);
  },
);
