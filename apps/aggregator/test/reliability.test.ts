import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Json, ProtocolFault, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { after, badServer, eventually, isAlive, journalOf, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

async function call(app: Aggregator, name: string, args: Json = {}, more: Partial<RequestContext> = {}): Promise<Json> {
  return parsedResult(await app.handle('tools/call', { name, arguments: args }, request(more)));
}

async function toolNames(app: Aggregator): Promise<string[]> {
  const { tools } = parsedResult(await app.handle('tools/list', {}, request()));
  return (tools as Json[]).map(({ name }) => String(name));
}

const stateOf = (app: Aggregator, key: string) => app.status().find((upstream) => upstream.key === key);

test('healthy tools are listed beside a dead and a hanging server, without waiting for either', async () => {
  const app = startAggregator({
    mcpServers: { dead: badServer('dead'), hanging: badServer('hanging'), good: legacyServer() },
    listWaitMs: 5_000,
  });
  await eventually(() => stateOf(app, 'good')?.state === 'up');
  const began = performance.now();
  const waited = startAggregator({ mcpServers: { hanging: badServer('hanging') }, listWaitMs: 300 });
  expect(await toolNames(waited)).toEqual(['atoll_status']);
  // Far below the start time-out, which is what a server that hangs would cost.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(textOf(await call(app, 'good_echo', { text: 'fine' }))).toBe('fine');
});

test('servers that talk garbage, flood us or never end a line harm nobody else', async () => {
  const app = startAggregator({
    mcpServers: {
      garbage: badServer('garbage'),
      line: badServer('endless-line', { maxMessageBytes: 200_000 }),
      flood: badServer('flood'),
      errors: badServer('stderr-flood'),
      good: legacyServer(),
    },
  });
  await eventually(() => stateOf(app, 'good')?.state === 'up' && stateOf(app, 'flood')?.state === 'up');
  for (let count = 0; count < 50; count++) {
    expect(textOf(await call(app, 'good_echo', { text: String(count) }))).toBe(String(count));
  }
  expect(textOf(await call(app, 'flood_noise'))).toBe('quiet');
  expect(textOf(await call(app, 'errors_noise'))).toBe('quiet');
  await eventually(() => stateOf(app, 'line')?.state === 'down');
});

test('a server that hands out pages for ever is cut off', async () => {
  const app = startAggregator({ mcpServers: { pages: badServer('endless-pages') } });
  await eventually(() => stateOf(app, 'pages')?.state === 'up', 30_000);
  expect(await toolNames(app)).toContain('pages_noise');
});

test('a call lost in a crash is answered with an error and never repeated, and the next call works', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  await call(app, 'one_echo');
  const lost = await call(app, 'one_crash').catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(ProtocolFault);
  expect((lost as ProtocolFault).data).toMatchObject({ atoll: { upstream: 'one', reason: 'lost' } });
  expect(textOf(await call(app, 'one_echo', { text: 'again' }))).toBe('again');
  const calls = journalOf(journal).filter(({ method, params }) => method === 'tools/call' && params?.name === 'crash');
  expect(calls).toHaveLength(1);
});

test('a server that keeps crashing is given ever more rest and its tools disappear meanwhile', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer(), other: legacyServer() } });
  await eventually(() => stateOf(app, 'one')?.state === 'up');
  await eventually(async () => {
    await call(app, 'one_crash').catch(() => {});
    return stateOf(app, 'one')?.state === 'down';
  });
  expect(await toolNames(app)).not.toContain('one_echo');
  expect(await toolNames(app)).toContain('other_echo');
  await eventually(() => stateOf(app, 'one')?.state === 'up');
  expect(await toolNames(app)).toContain('one_echo');
  expect(stateOf(app, 'one')?.restarts).toBeGreaterThan(0);
});

test('calling a tool of a server that is down or disabled says why', async () => {
  const dataDir = tempDir();
  const first = startAggregator({ mcpServers: { off: legacyServer() } }, { dataDir });
  await eventually(() => stateOf(first, 'off')?.state === 'up');
  const app = startAggregator(
    { mcpServers: { dead: badServer('dead'), off: legacyServer({}, { disabled: true }) } },
    { dataDir },
  );
  await expect(call(app, 'dead_anything')).rejects.toThrow(/"dead" is not available: it exited with code 1/);
  await expect(call(app, 'off_echo')).rejects.toThrow(/"off" is disabled/);
  await expect(call(app, 'nobody_has_this')).rejects.toThrow(/Unknown tool "nobody_has_this"/);
  expect(await toolNames(app)).toEqual(['atoll_status']);
});

test('calling a tool of a built-in server that is disabled says why, in any spelling', async () => {
  const servers = { 'cortex-embeddings': { disabled: true, deny: ['model.info'] } };
  const app = startAggregator({ builtin: true, servers });
  await expect(call(app, 'embedding.generate')).rejects.toThrow(/"cortex-embeddings" is disabled/);
  await expect(call(app, 'embedding_generate')).rejects.toThrow(/"cortex-embeddings" is disabled/);
  await expect(call(app, 'model_info')).rejects.toThrow(/Unknown tool "model_info"/);
  expect(await toolNames(app)).toEqual(['atoll_status']);
});

test('two clients with the same progress token each get their own progress, all of it, before the answer', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const run = async (text: string) => {
    const heard: Json[] = [];
    const notify = async (_method: string, params: Json) => void heard.push(params);
    await call(app, 'one_steps', { steps: 20, text }, { meta: { progressToken: 7 }, notify });
    return heard;
  };
  for (let round = 0; round < 5; round++) {
    const [a, b] = await Promise.all([run('a'), run('b')]);
    expect(a?.map(({ message, progress }) => `${message}${progress}`)).toEqual(
      Array.from({ length: 20 }, (_, n) => `a${n + 1}`),
    );
    expect(b?.map(({ message, progress }) => `${message}${progress}`)).toEqual(
      Array.from({ length: 20 }, (_, n) => `b${n + 1}`),
    );
  }
});

test('the last progress reaches a real client although it arrives together with the answer', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const client = await connectInMemory(app);
  const seen: number[] = [];
  await client.callTool(
    { name: 'one_steps', arguments: { steps: 5 } },
    { onprogress: ({ progress }) => void seen.push(progress) },
  );
  expect(seen.at(0)).toBe(1);
});

test('a cancelled call is cancelled at the server', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  const stop = new AbortController();
  const lost = call(app, 'one_slow', { ms: 60_000 }, { signal: stop.signal });
  lost.catch(() => {});
  await eventually(() => journalOf(journal).some(({ method }) => method === 'tools/call'));
  stop.abort();
  await expect(lost).rejects.toThrow();
  await eventually(() => journalOf(journal).some(({ kind }) => kind === 'cancelled'));
});

test('a call that takes too long fails and is cancelled at the server; progress gives it more time', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }, { timeoutMs: 800 }) } });
  await expect(call(app, 'one_slow', { ms: 60_000 })).rejects.toThrow(/did not answer within 800 ms/);
  await eventually(() => journalOf(journal).some(({ kind }) => kind === 'cancelled'));
  const steady = await call(app, 'one_steps', { steps: 8, ms: 200 }, { meta: { progressToken: 'p' } });
  expect(textOf(steady)).toBe('8 steps');
});

test('a server that answers nothing any more is started anew', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer({}, { timeoutMs: 300 }) } });
  const { pid } = JSON.parse(textOf(await call(app, 'one_whoami')));
  process.kill(pid, 'SIGSTOP');
  await expect(call(app, 'one_echo')).rejects.toThrow(/did not answer within/);
  await eventually(() => !isAlive(pid), 30_000);
  expect(textOf(await eventually(() => call(app, 'one_echo', { text: 'back' }).catch(() => undefined), 30_000))).toBe(
    'back',
  );
});

test('a start that takes too long is given up', async () => {
  const app = startAggregator({ mcpServers: { slow: badServer('hanging', { startTimeoutMs: 400 }) } });
  await eventually(() => stateOf(app, 'slow')?.state === 'down');
  expect(stateOf(app, 'slow')?.reason).toMatch(/timed out while starting/);
});

test('a late server joins with a change of the list', async () => {
  const app = startAggregator({
    mcpServers: { late: legacyServer({ FIXTURE_START_DELAY_MS: '700' }) },
    listWaitMs: 50,
  });
  const changes: string[] = [];
  app.onChange(({ kind }) => void changes.push(kind));
  expect(await toolNames(app)).not.toContain('late_echo');
  await eventually(() => changes.includes('tools'));
  expect(await toolNames(app)).toContain('late_echo');
});

test('a call of a tool that nobody listed yet waits for its server', async () => {
  const app = startAggregator({ mcpServers: { late: legacyServer({ FIXTURE_START_DELAY_MS: '500' }) } });
  expect(textOf(await call(app, 'late_echo', { text: 'worth waiting' }))).toBe('worth waiting');
});

test('tools known from last time are listed before their server has started', async () => {
  const dataDir = tempDir();
  const mcpServers = { one: legacyServer() };
  const first = startAggregator({ mcpServers }, { dataDir });
  await eventually(async () => (await toolNames(first)).includes('one_echo'));
  await first.close();
  const second = startAggregator({ mcpServers, listWaitMs: 0 }, { dataDir });
  expect(await toolNames(second)).toContain('one_echo');
});

test('an idle server is stopped and comes back with the next call', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer({}, { idleTimeoutMs: 200 }) } });
  const { pid } = JSON.parse(textOf(await call(app, 'one_whoami')));
  await eventually(() => stateOf(app, 'one')?.state === 'waiting');
  await eventually(() => !isAlive(pid));
  expect(await toolNames(app)).toContain('one_echo');
  const again = JSON.parse(textOf(await call(app, 'one_whoami')));
  expect(again.pid).not.toBe(pid);
});

test('there is one process per server, whoever calls it', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  const clients = await Promise.all(Array.from({ length: 5 }, () => connectInMemory(app)));
  await Promise.all(clients.map((client) => client.callTool({ name: 'one_echo', arguments: { text: 'x' } })));
  expect(journalOf(journal).filter(({ kind }) => kind === 'started')).toHaveLength(1);
});

test('a server that ends when greeted in the newer way is greeted in the older', async () => {
  const folder = tempDir();
  const script = join(folder, 'touchy.mjs');
  writeFileSync(
    script,
    `process.stdin.setEncoding('utf8').on('data', (data) => {
      for (const line of data.split('\\n').filter(Boolean)) {
        const { id, method, params } = JSON.parse(line);
        if (method === 'server/discover') process.exit(1);
        if (id === undefined) continue;
        const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' } }
          : method === 'tools/list' ? { tools: [{ name: 'there', inputSchema: { type: 'object' } }] } : {};
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      }
    });`,
  );
  const app = startAggregator({ mcpServers: { touchy: { command: process.execPath, args: [script] } } });
  await eventually(async () => (await toolNames(app)).includes('touchy_there'));
});

const run = promisify(execFile);
const childrenOf = async (marker: string) => {
  const { stdout } = await run('ps', ['-eo', 'pid,args']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(marker) && !line.includes('ps -eo'))
    .map((line) => Number(line.trim().split(' ')[0]));
};

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'no process is left when the aggregator is ended with %s, however its servers resist',
  async (signal) => {
    const folder = tempDir();
    const marker = `marker-${Math.random().toString(36).slice(2)}`;
    const config = join(folder, 'atoll.json');
    const journals = ['stubborn', 'launched'].map((name) => join(folder, `${name}.jsonl`));
    const env = (journal: string) => ({ FIXTURE_IGNORE_END: '1', FIXTURE_JOURNAL: journal });
    const stubborn = { ...legacyServer(env(journals[0]!)), args: [...legacyServer().args, marker] };
    // A launcher that stays in front of the real server, as npx does.
    const launched = {
      command: '/bin/sh',
      args: ['-c', `${process.execPath} ${legacyServer().args[0]} ${marker} & wait`],
      env: env(journals[1]!),
    };
    writeFileSync(config, JSON.stringify({ mcpServers: { stubborn, launched } }));
    const cli = join(import.meta.dirname, '../dist/cli.js');
    const atoll = spawn(
      process.execPath,
      [cli, '--no-builtin', '--http', '--port', '0', '--config', config, '--data-dir', folder],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    after(() => atoll.kill('SIGKILL'));
    // A process in the list of processes may still be starting. The launched one reads from /dev/null, as the shell wants it.
    const [greeted, launchedOne] = [() => journalOf(journals[0]!), () => journalOf(journals[1]!)];
    await eventually(() => greeted().some(({ kind }) => kind === 'message') && launchedOne().length > 0, 45_000);
    expect(await childrenOf(marker)).toHaveLength(3);
    atoll.kill(signal);
    await eventually(async () => (await childrenOf(marker)).length === 0, 45_000);
  },
);
