import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../.cache/s3rver', import.meta.url));
const PROGRAM = `
  const S3rver = require('s3rver');
  new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: process.argv[1], configureBuckets: [{ name: 'atoll' }] })
    .run().then(({ port }) => console.log(port));`;

/** A real S3-compatible server on a free port. */
export async function makeObjectStore(): Promise<{ endpoint: string; remove(): Promise<void> }> {
  installObjectStore();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-s3rver-'));
  const child = spawn(process.execPath, ['-e', PROGRAM, folder], { cwd: cache, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async remove() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fetches the server when it is not there yet. */
export function installObjectStore(): void {
  if (existsSync(join(cache, 'node_modules/s3rver'))) return;
  mkdirSync(cache, { recursive: true });
  const quietly = ['--silent', '--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...quietly, '--prefix', cache, 's3rver@3.7.1']);
}
