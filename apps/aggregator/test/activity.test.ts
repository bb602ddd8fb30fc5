import { RawResult, type RequestContext } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import { Activity } from '../src/activity/activity.ts';
import { answerSize, sizeOf } from '../src/activity/bounded.ts';
import { connectAskable, textOf } from './clients.ts';
import { legacyServer, startAggregator } from './harness.ts';

const context = {
  client: { id: 'c1', name: 'probe' },
  era: 'modern',
  capabilities: {},
  meta: {},
  notify: async () => {},
} as unknown as RequestContext;

const call = (args: unknown, outcome: object, ms = 3) => ({
  context,
  upstream: 'files',
  name: 'files_read',
  tool: 'read',
  args,
  verdict: 'ok' as const,
  outcome: outcome as never,
  ms,
  sentChars: sizeOf(args),
  answerChars: answerSize(outcome as never),
});

interface Answer {
  readonly id: number;
  readonly calls: readonly Answer[];
  readonly recorded: number;
  readonly answer_chars: number;
  readonly arguments?: unknown;
  readonly answer?: unknown;
  readonly servers: Readonly<Record<string, readonly { calls: number }[]>>;
}

async function opened(settings: object = {}) {
  const app = startAggregator({ http: true, mcpServers: { old: legacyServer() }, ...settings });
  const { client } = await connectAskable(app, 'modern', 'ann');
  const admin = async (name: string, args: object = {}) => {
    const answer = await client.callTool({ name: `atoll_admin_${name}`, arguments: args as never });
    return answer.structuredContent as Answer;
  };
  return { app, client, admin };
}

test('each call is listed with caller, duration, sizes and outcome, and can be opened', async () => {
  const { client, admin } = await opened();
  await client.callTool({ name: 'old_echo', arguments: { text: 'hello', api_key: 'sk-1234' } });
  const { calls, recorded } = await admin('activity');
  expect(calls[0]).toMatchObject({ server: 'old', name: 'old_echo', tool: 'echo', outcome: 'ok', client: 'ann' });
  expect(calls[0]?.answer_chars).toBe('hello'.length);
  const one = await admin('call', { id: calls[0]!.id });
  expect(one.arguments).toEqual({ text: 'hello', api_key: '[redacted]' });
  expect(JSON.stringify(one.answer)).toContain('hello');
  expect((await admin('activity', { after: recorded })).calls).toEqual([]);
  const { servers } = await admin('series', {});
  expect(servers.old?.reduce((sum, point) => sum + point.calls, 0)).toBe(1);
});

test('administration is in no list, and neither search nor call_tool reaches it', async () => {
  const { client } = await opened({ mode: 'search' });
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => name.includes('admin'))).toEqual([]);
  const found = await client.callTool({
    name: 'search_tools',
    arguments: { query: 'atoll admin activity', limit: 50 },
  });
  expect(JSON.stringify(found)).not.toContain('atoll_admin');
  await expect(
    client.callTool({ name: 'call_tool', arguments: { name: 'atoll_admin_activity', arguments: {} } }),
  ).rejects.toThrow('Unknown tool "atoll_admin_activity"');
});

test('administration is refused over stdio, where it is switched off, and to a token without admin', async () => {
  for (const settings of [{ http: false }, { admin: false }]) {
    const { admin } = await opened(settings);
    await expect(admin('activity')).rejects.toThrow('Administration is off here');
  }
  const app = startAggregator({ http: true, tokens: [{ name: 'ann', token: 'a' }] });
  const ask = (principal: object) =>
    app.handle('tools/call', { name: 'atoll_admin_activity', arguments: {} }, { ...context, principal } as never);
  await expect(ask({ id: 'ann' })).rejects.toThrow('may not administer');
  expect(await ask({ id: 'ann', admin: true })).toMatchObject({ structuredContent: { calls: [] } });
});

test('an upstream cannot take the names of administration', async () => {
  const { client, admin } = await opened({
    mcpServers: { old: legacyServer({}, { prefix: '', rename: { echo: 'atoll_admin_activity' } }) },
  });
  await client.listTools();
  expect((await admin('activity')).calls).toEqual([]);
});

test('recording is off by a setting, and bodies by another', async () => {
  const off = await opened({ activity: 0 });
  await off.client.callTool({ name: 'old_echo', arguments: { text: 'a' } });
  expect(await off.admin('activity')).toMatchObject({ calls: [], capacity: 0 });
  const bare = await opened({ activityBodies: false });
  await bare.client.callTool({ name: 'old_echo', arguments: { text: 'a' } });
  expect(await bare.admin('call', { id: 1 })).not.toHaveProperty('arguments');
});

test('a call that is not kept any more is named in a sentence', async () => {
  const { client, admin } = await opened({ activity: 2 });
  for (const text of ['a', 'b', 'c']) await client.callTool({ name: 'old_echo', arguments: { text } });
  expect((await admin('activity')).calls.map(({ id }) => id)).toEqual([3, 2]);
  const answer = await client.callTool({ name: 'atoll_admin_call', arguments: { id: 1 } });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toContain('Call 1 is not kept any more');
});

test('answers of 50 MB and huge arguments leave only their beginnings', () => {
  const activity = new Activity({ capacity: 10, withBodies: true });
  const text = 'x'.repeat(50_000_000);
  activity.record(call({ base64: text, rows: new Array(200_000).fill(1) }, new RawResult(`{"content":"${text}"}`)));
  const kept = activity.find(1)!;
  expect(kept).toMatchObject({ clipped: true, sent_chars: expect.any(Number) });
  expect(kept.sent_chars).toBeGreaterThan(50_000_000);
  expect(JSON.stringify(kept).length).toBeLessThan(20_000);
});

test('a hundred thousand calls leave as many as are kept, newest first', () => {
  const activity = new Activity({ capacity: 1_000, withBodies: true, now: () => 1_000_000 });
  for (let i = 0; i < 100_000; i++) activity.record(call({ i }, { content: [{ type: 'text', text: `${i}` }] }, i % 40));
  const { calls, recorded } = activity.list({ limit: 5_000 });
  expect(recorded).toBe(100_000);
  expect(calls).toHaveLength(1_000);
  expect(calls[0]!.id).toBe(100_000);
  const points = activity.series(1, 60).files!;
  expect(points.at(-1)).toMatchObject({ calls: 100_000, failures: 0, p50: 32 });
});

test('the calls of a program are listed by its number, with its own entry and without those of another', async () => {
  const { client, admin } = await opened({ runTools: true });
  const run = async (code: string) => {
    const { structuredContent } = await client.callTool({ name: 'run_tools', arguments: { code } });
    return structuredContent as { program: number };
  };
  const first = await run('await tools.atoll_status({}); await tools.search_tools({query: "echo"}); return 1');
  const second = await run('await tools.atoll_status({}); throw new Error("no")');
  await client.callTool({ name: 'atoll_status', arguments: {} });
  const namesOf = async ({ program }: { program: number }) =>
    ((await admin('activity', { program })).calls as unknown as { name: string }[]).map(({ name }) => name);
  expect(await namesOf(first)).toEqual(['run_tools', 'search_tools', 'atoll_status']);
  expect(await namesOf(second)).toEqual(['run_tools', 'atoll_status']);
});
