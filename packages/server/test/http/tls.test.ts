import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { startServer } from './server.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function certificate(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const newkey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', ...newkey, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

test('with a certificate it speaks HTTPS and says so', requires(hasOpenssl, 'openssl'), async () => {
  const tls = certificate();
  const server = await startServer({ tls });
  expect(server.url).toBe(`https://127.0.0.1:${server.port}/mcp`);
  const status = await new Promise((resolve, reject) => {
    const sent = request(new URL('/health', server.url), { ca: tls.cert }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
  expect(status).toBe(200);
});
