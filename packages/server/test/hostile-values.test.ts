import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { ConfigError, defineConfig, loadConfig } from '../src/config/config.ts';
import { McpConnection } from '../src/stdio/mcp-connection.ts';
import { bundle } from './fixtures/bundle.ts';
import { tinyApp } from './fixtures/tiny-app.ts';
import { modernHeaders, request, startServer } from './http/server.ts';

vi.setConfig({ testTimeout: 60_000 });

const DEEP = 200_000;
const deep = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);
const call = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args}}}`;

/** What a client may send in place of a sound message. */
const MESSAGES: Readonly<Record<string, string>> = {
  'deep lists': call(`{"text":${deep('[', ']')}}`),
  'deep objects': call(`{"text":${deep('{"a":', '}').replace(':}', ':1}')}}`),
  'a deep message': deep('[', ']'),
  'an endless list': '['.repeat(DEEP),
  'objects as strings': '{"jsonrpc":"2.0","id":1,"method":{"toString":1},"params":{"name":{"valueOf":1}}}',
  'an object as name': '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"toString":1,"valueOf":1}}}',
  'an object as id': '{"jsonrpc":"2.0","id":{"toString":1},"method":"ping"}',
  'a method of every object': '{"jsonrpc":"2.0","id":1,"method":"constructor"}',
  'a tool of every object':
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"text":"x"}}}}',
  'a prototype as params': '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"echo"}}}',
  'duplicate keys': '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"tools/list"}',
  'lone surrogates': call('{"text":"\\ud800","\\udfff":1}'),
  'a number beyond all bounds': call('{"text":1e999}'),
  NaN: call('{"text":NaN}'),
  'one key of 60 MB': call(`{"${'k'.repeat(60_000_000)}":1}`),
};

test.each(Object.entries(MESSAGES))('%s over stdio get an answer, and so does what follows', async (_, text) => {
  const sent: string[] = [];
  const connection = new McpConnection(tinyApp(), { send: (line) => void sent.push(line) });
  onTestFinished(() => connection.close());
  connection.receiveText(text);
  connection.receiveText('{"jsonrpc":"2.0","id":"next","method":"ping"}');
  await expect.poll(() => sent.some((line) => line.includes('"next"'))).toBe(true);
  await connection.drained();
  expect(sent.length).toBeGreaterThan(1);
  for (const line of sent) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
});

test.each(Object.entries(MESSAGES))('%s over HTTP get an answer, and so does what follows', async (_, text) => {
  const server = await startServer();
  const session = await server.session();
  for (const headers of [session, modernHeaders('tools/call', { name: 'echo' })]) {
    const answer = await server.post(text, headers);
    expect(answer.status).toBeLessThan(500);
  }
  expect((await server.post(request(1, 'ping'), session)).status).toBe(200);
});

const definition = defineConfig({
  program: 'hostile',
  folder: '',
  prefix: 'HOSTILE',
  defaultPort: 0,
  shape: {
    items: z.record(z.string(), z.unknown()).default({}).meta({ description: 'Anything', flag: false }),
    note: z.string().optional().describe('A text'),
  },
});

const FILES: Readonly<Record<string, string>> = {
  'deep.json': deep('[', ']'),
  'deep-value.json': `{"items":{"a":${deep('[', ']')}}}`,
  'deep.yaml': `items: ${'['.repeat(20_000)}`,
  'aliases.yaml': `a: &a [x, x]\n${'bcdefghi'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${at === 0 ? 'a' : 'abcdefghi'[at]}, `.repeat(9)}]`)
    .join('\n')}`,
  'object-as-text.json': '{"note":{"toString":1,"valueOf":1}}',
  'every-object.json': '{"constructor":1,"toString":2}',
  'prototype.json': '{"__proto__":{"note":"x"}}',
  'list.json': '[]',
  'null.json': 'null',
  'large.json': `{"${'k'.repeat(64 << 20)}":1}`,
  'long-key.json': `{"${'k'.repeat(1 << 20)}":1}`,
  'surrogate.json': '{"note":1,"\\ud800":2}',
};

test.each(Object.entries(FILES))('a configuration file like %s is refused with a sentence', (name, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  const load = () => loadConfig(definition, { argv: ['--config', path], env: {} });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/^.{1,2000}$/s);
});

test('a promise that nothing handles is logged, degrades the health and ends nothing', async () => {
  const program = await bundle(new URL('./fixtures/unhandled-cli.ts', import.meta.url));
  const child = spawn(process.execPath, [program, '--http', '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    vi.waitUntil(() => /"url":"([^"]+)"/.exec(log)?.[1] ?? false, { timeout: 30_000, interval: 50 }),
    ended.then(() => Promise.reject(new Error(log))),
  ]);
  await vi.waitUntil(() => log.includes('unhandled rejection'), { timeout: 30_000, interval: 50 });
  const health = await (await fetch(new URL('/health', url))).json();
  expect(health).toMatchObject({ status: 'degraded', unhandled_rejections: 1 });
});
