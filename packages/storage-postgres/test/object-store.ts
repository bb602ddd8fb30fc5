import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cachedPackages } from '../../../tooling/cache.mjs';

const SERVER = 's3rver@3.7.1';
const PROGRAM = `
  const S3rver = require('s3rver');
  new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: process.argv[1], configureBuckets: [{ name: 'atoll' }] })
    .run().then(({ port }) => console.log(port));`;

/** A real S3-compatible server on a free port. */
export async function makeObjectStore(): Promise<{ endpoint: string; remove(): Promise<void> }> {
  const cwd = installObjectStore();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-s3rver-'));
  const child = spawn(process.execPath, ['-e', PROGRAM, folder], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
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

/** Fetches the server when it is not there yet, and returns its folder. */
export function installObjectStore(): string {
  return cachedPackages('s3rver', [SERVER]);
}
