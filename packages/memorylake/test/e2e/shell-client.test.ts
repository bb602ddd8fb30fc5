import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { afterTests, cleanUp, newFolder } from '../open-test-lake.ts';
import { run, shellClient, startHttp } from './programs.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });
afterAll(cleanUp);

const client = (args: readonly string[], env: Record<string, string> = {}) => run('bash', [shellClient, ...args], env);

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

describe('with bash and curl alone', requires(hasTools, 'shell'), () => {
  test('a shell can begin a session, call tools with any arguments, and end it', async () => {
    const { url } = await startHttp(['--no-embed', '--data-dir', await newFolder()]);
    const init = await client([url, 'init']);
    expect(init).toMatchObject({ code: 0, stderr: '' });
    const session = init.stdout.trim();
    expect(session).toMatch(/^[!-~]+$/);

    const text = 'Quotes " and \\ and {braces} and 汉字 and a\nnew line about piers';
    const added = await client([url, session, 'add_memory', JSON.stringify({ name: 'odd.txt', text })]);
    expect(JSON.parse(added.stdout)).toMatchObject({
      jsonrpc: '2.0',
      id: 2,
      result: { structuredContent: { result: { status: 'ready' } } },
    });
    const found = JSON.parse((await client([url, session, 'search_memory', '{"query": "汉字 piers"}'])).stdout);
    expect(found.result.structuredContent.result.results[0]).toMatchObject({
      name: 'odd.txt',
      summary: expect.stringContaining('汉字'),
    });
    expect(
      JSON.parse((await client([url, session, 'get_memorylake_metadata'])).stdout).result.structuredContent.result
        .total_files,
    ).toBe(1);

    expect(await client([url, session, 'no_such_tool'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Unknown tool'),
    });
    expect(await client([url, session, 'read_memory', '{"memory_id":"ds-none"}'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"isError":true'),
    });
    expect(await client([url, session, 'search_memory', '{broken'])).toMatchObject({ code: 1, stdout: '' });
    expect(await client([url, session, '--end'])).toMatchObject({ code: 0 });
    expect(await client([url, session, 'get_memorylake_metadata'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run init again'),
    });
  });

  test('bad usage is told with 2, a server that is not there with 1', async () => {
    expect((await client([])).code).toBe(2);
    expect((await client(['http://127.0.0.1:9/mcp', 'x', 'tool; rm -rf'])).code).toBe(2);
    expect(await client(['http://127.0.0.1:9/mcp', 'init'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot reach'),
    });
  });

  test('the key goes into a header, and only with it the server answers', async () => {
    const { url } = await startHttp(['--no-embed', '--data-dir', await newFolder()], {
      MEMORYLAKE_AUTH_TOKEN: 'a-long-secret',
    });
    expect(await client([url, 'init'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MEMORYLAKE_API_KEY'),
    });
    const init = await client([url, 'init'], { MEMORYLAKE_API_KEY: 'a-long-secret' });
    expect(init).toMatchObject({ code: 0 });
    const call = await client([url, init.stdout.trim(), 'list_memories'], { MEMORYLAKE_API_KEY: 'a-long-secret' });
    expect(call).toMatchObject({ code: 0, stdout: expect.stringContaining('"memories"') });
  });

  test('servers that answer in plain JSON, with spaces and other orders, are understood too', async () => {
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      const { method, id } = JSON.parse(body) as { method: string; id?: number };
      seen.push(method);
      if (id === undefined) return void response.writeHead(202).end();
      const answer =
        method === 'initialize'
          ? '{ "result": {}, "jsonrpc": "2.0", "id": 1 }'
          : '{ "id" : 2 , "jsonrpc": "2.0", "result": { "error": {"not": "one"} } }';
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'abc' }).end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterTests(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    expect(await client([url, 'init'])).toMatchObject({ code: 0, stdout: 'abc\n' });
    expect(seen).toEqual(['initialize', 'notifications/initialized']);
    expect(await client([url, 'abc', 'any'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"not": "one"'),
    });
  });
});
