import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectHttp, connectV1 } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../fixtures/bundle.ts';
import './server.ts';
import { requires } from '../../../../tooling/test/needs.mjs';

let program: string;
beforeAll(async () => {
  program = await bundle(new URL('../fixtures/notes-cli.ts', import.meta.url));
}, 60_000);
afterAll(() => rmSync(dirname(program), { recursive: true }));

/** A program over HTTP, with its first line of the log. */
async function start(...args: string[]) {
  const child = spawn(process.execPath, [program, '--http', '--port', '0', ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  return { child, exited, line };
}

test('a program says where it listens, serves every kind of client, and ends when it is told to', async () => {
  const { child, exited, line } = await start();
  const { msg, url } = JSON.parse(line) as { msg: string; url: string };
  expect(msg).toBe('listening');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const clients = [
    await connectHttp(url, { era: 'legacy' }),
    await connectHttp(url, { era: 'modern' }),
    await connectV1({ url }),
  ];
  for (const client of clients) {
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  }
  child.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
});

test('beyond loopback a program without a token refuses to start, and with one it asks for it', async () => {
  const refused = await start('--host', '0.0.0.0');
  expect(refused.line).toMatch(/--host: 0\.0\.0\.0 is not loopback/);
  expect((await refused.exited)[0]).toBe(2);

  const folder = mkdtempSync(join(tmpdir(), 'atoll-token-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'token'), 'a-secret\n');
  const { line } = await start('--host', '0.0.0.0', '--auth-token-file', join(folder, 'token'));
  const url = (JSON.parse(line) as { url: string }).url.replace('0.0.0.0', '127.0.0.1');
  await expect(connectHttp(url)).rejects.toThrow();
  const client = await connectHttp(url, { token: 'a-secret' });
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
});

test('a port that is taken ends the program with what to do', async () => {
  const { line } = await start();
  const port = new URL((JSON.parse(line) as { url: string }).url).port;
  const second = await start('--port', port);
  expect(second.line).toContain(`${port} is in use`);
  expect((await second.exited)[0]).toBe(2);
});

test('a data folder that cannot be one ends the program with what is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const chosen of [file, join(file, 'below', 'it')]) {
    const { line, exited } = await start('--data-dir', chosen);
    expect(line).toContain(`--data-dir: ${file} is a file; give a folder`);
    expect((await exited)[0]).toBe(2);
  }
  const { line } = await start('--data-dir', join(folder, 'yet', 'to', 'be', 'made'));
  expect(JSON.parse(line)).toMatchObject({ msg: 'listening' });
  expect(readdirSync(folder)).toEqual(['file']);
});

test(
  'a data folder under /proc is refused, even to root',
  requires(process.platform === 'linux', 'linux'),
  async () => {
    const { line, exited } = await start('--data-dir', '/proc/x/y');
    expect(line).toMatch(/--data-dir: cannot write to \/proc \(E[A-Z]+\); choose a folder that you can write to/);
    expect((await exited)[0]).toBe(2);
  },
);
