import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { connectStdio, connectV1 } from '@atoll-mcp/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundle } from './fixtures/bundle.ts';

let program: string;
beforeAll(async () => {
  program = await bundle(new URL('./fixtures/notes-cli.ts', import.meta.url));
});
afterAll(() => rmSync(dirname(program), { recursive: true }));

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
};

function start(): { child: ChildProcessWithoutNullStreams; next: () => Promise<Record<string, unknown>> } {
  const child = spawn(process.execPath, [program]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown> };
}

async function opened() {
  const { child, next } = start();
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  expect(await next()).toMatchObject({
    id: 1,
    result: { serverInfo: { name: 'notes' }, instructions: expect.any(String) },
  });
  return { child, next };
}

describe('a program on stdio', () => {
  test('works with clients of both eras and with a v1 client', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const client = await connectStdio({ command: process.execPath, args: [program], era });
      const answer = await client.callTool({ name: 'note.add', arguments: { text: 'x' } });
      expect(answer.structuredContent).toEqual({ number: 0 });
      await client.close();
    }
    const v1 = await connectV1({ command: process.execPath, args: [program] });
    await v1.listTools();
    expect(await v1.callTool({ name: 'note.add', arguments: { text: '' } })).toMatchObject({ isError: true });
    await v1.close();
  });

  test('answers a broken line with a parse error, and the next line works', async () => {
    const { child, next } = await opened();
    child.stdin.write('{"jsonrpc": \n');
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } });
    child.stdin.write('[]\n');
    expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
    child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    expect(await next()).toMatchObject({ id: 2, result: {} });
    child.kill('SIGKILL');
  });

  test('answers what it was asked before its input ended, then ends by itself', async () => {
    const { child, next } = await opened();
    child.stdin.end(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"note.add","arguments":{"text":"x"}}}\n',
    );
    expect(await next()).toMatchObject({ id: 2, result: { structuredContent: { number: 0 } } });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('ends on %s although a timer is alive', async (signal) => {
    const { child } = await opened();
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  // Threads in the midst of a computation abort a process that exits under them.
  test.each(['SIGTERM', 'end of input'])('on %s it exits when its app has closed', { timeout: 60_000 }, async (how) => {
    const slow = await bundle(new URL('./fixtures/slow-close-cli.ts', import.meta.url));
    onTestFinished(() => rmSync(dirname(slow), { recursive: true }));
    const child = spawn(process.execPath, [slow]);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await once(child.stdout, 'data');
    if (how === 'SIGTERM') child.kill(how);
    else child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('closed\n');
  });

  test('ends when nobody reads its output any more', async () => {
    const { child } = await opened();
    child.stdout.destroy();
    child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('takes a message of tens of megabytes', async () => {
    const { child, next } = await opened();
    const text = 'x'.repeat(40_000_000);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'note.add', arguments: { text } } })}\n`,
    );
    expect(await next()).toMatchObject({ id: 2, result: { structuredContent: { number: 0 } } });
    child.kill('SIGKILL');
  });

  test('says all that is wrong with its configuration on stderr and exits with 2', async () => {
    const child = spawn(process.execPath, [program, '--port', 'x', '--nonsense'], { env: { NOTES_LOG_LEVEL: 'loud' } });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    expect(await once(child, 'exit')).toEqual([2, null]);
    for (const place of ['--port', '--nonsense', 'NOTES_LOG_LEVEL']) expect(stderr).toContain(place);
  });
});
