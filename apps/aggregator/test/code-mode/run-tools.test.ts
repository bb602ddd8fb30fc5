import { expect, test, vi } from 'vitest';
import { eventually, startAggregator } from '../harness.ts';
import { connect, shop, shopServer } from './programs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

test('code mode lists the tools that find, describe, run and read on, and the status', async () => {
  const { client } = await shop();
  expect(names((await client.listTools()).tools).sort()).toEqual([
    'atoll_status',
    'describe_tool',
    'read_result',
    'run_tools',
    'search_tools',
  ]);
});

test('a program sees the tools that it may call, and only those', async () => {
  const { run } = await shop({ server: { deny: ['hang', 'set_*'] } });
  // No server here stores results or queries a lake.
  const own = ['atoll_status', 'search_tools', 'describe_tool', 'read_result'];
  const { result } = await run('return [Object.keys(tools), tools, [...tools], "note" in tools, "hang" in tools]');
  const all = [...own, 'list_items', 'get_price', 'note', 'constructor', 'big', 'picture', 'fail'];
  expect(result).toEqual([all, all, all, true, false]);
});

test('usual mistakes are answered with what would be right', async () => {
  const { run, call } = await shop();
  const failures: [string, string][] = [
    ['await tools.getPrice({ id: 1 })', 'Unknown tool "getPrice"; did you mean get_price? search_tools finds tools'],
    ['await tools.price_get({ id: 1 })', 'did you mean get_price?'],
    ['await tools.mcp__atoll__list_items()', 'did you mean list_items?'],
    ['await tools.weather()', 'Unknown tool "weather"; search_tools finds tools by what they do'],
    ['return tools.list_items({}).items', 'A call gives a promise: write (await tools.list_items({...})).items'],
    ['const { items } = tools.list_items(); return items', 'write (await tools.list_items({...})).items'],
    ['await tools.list_items(20)', 'takes one object with its arguments by name (offset, limit), not number'],
    ['return (await fetch("https://example.com")).status', 'A program has no network, files, modules or timers'],
    ['import fs from "node:fs"; fs', 'A program has no network, files, modules or timers'],
    ['const price: number = 1; return price', 'plain JavaScript, without types'],
    ['return shop_get_price({ id: 1 })', 'Every tool is a function of tools'],
    ['await tools.call_tool({ name: "note" })', 'call each tool as a function of tools'],
  ];
  for (const [code, error] of failures)
    expect(await run(code), code).toMatchObject({ error: expect.stringContaining(error) });
  expect(await run('async function main() { await tools.note() }')).toMatchObject({
    result: null,
    note: expect.stringContaining('return'),
  });
  expect(await run('\n\nawait tools.fail()')).toMatchObject({
    traceback: expect.stringMatching(/<eval> \(code\.js:3:/),
  });
  await expect(call('list_item')).rejects.toThrow('did you mean list_items? search_tools finds tools by what they do');
  expect((await call('describe_tool', { name: 'list_item' })).content).toMatchObject([
    { text: expect.stringContaining('did you mean list_items?') },
  ]);
});

test('run_tools can be switched on in any mode and view, and is refused where it is not', async () => {
  const mcpServers = { shop: shopServer() };
  const app = startAggregator({ mcpServers, runTools: true, views: { plain: { runTools: false } } });
  const { client, run } = await connect(app);
  expect(names((await client.listTools()).tools)).toContain('run_tools');
  expect((await run('return 1 + 1')).result).toBe(2);
  const { run: runInFull } = await connect(startAggregator({ mcpServers }));
  expect(await runInFull('return 1')).toMatchObject({
    isError: true,
    error: expect.stringContaining('"runTools": true'),
  });
});

test.each(['legacy', 'modern'] as const)('every tool is a function for a %s client', async (era) => {
  const { run } = await shop({ era });
  const ran = await run(`
    const { items, total } = await tools.list_items({ limit: 3 });
    const prices = await Promise.all(items.map(({ id }) => tools.get_price({ id })));
    console.log('of', total);
    return { prices, note: await tools.note(), named: await tools['constructor']() };
  `);
  expect(ran).toMatchObject({
    isError: false,
    result: { prices: [0, 2, 4], note: 'a plain sentence', named: 'the tool called constructor' },
    output: 'of 50\n',
    calls_total: 6,
  });
  expect(ran.calls.map(({ tool, outcome }) => `${tool} ${outcome}`).sort()).toEqual([
    'constructor ok',
    'get_price ok',
    'get_price ok',
    'get_price ok',
    'list_items ok',
    'note ok',
  ]);
});

test('a failed call throws the message of the tool, and the program may go on', async () => {
  const { run } = await shop();
  expect((await run('try { await tools.fail() } catch (error) { return error.message }')).result).toBe('out of stock');
  const failed = await run('print("before"); await tools.note(); await tools.fail()');
  expect(failed).toMatchObject({ isError: true, error: 'Error: out of stock', output: 'before\n', calls_total: 2 });
});

test('arguments are checked against the schema before they leave', async () => {
  const { run, arrived } = await shop();
  const attempts = ['{}', '{id: "3"}', '{id: 1.5}', '"3"', '[3]', '1, 2'].map(
    (args) => `await tools.get_price(${args}).catch((error) => error.message)`,
  );
  const { result } = await run(`return [${attempts.join(', ')}]`);
  expect(result).toEqual([
    'get_price: id is required; describe_tool shows its arguments',
    'get_price: id must be integer, not string; describe_tool shows its arguments',
    'get_price: id must be integer, not number; describe_tool shows its arguments',
    'get_price takes one object with its arguments by name (id), not string',
    'get_price takes one object with its arguments by name (id), not array',
    'get_price takes one object with its arguments by name (id), not array',
  ]);
  expect(arrived()).toEqual([]);
});

test('a thousand calls are allowed and no more, and the list of calls stays short', async () => {
  const { run } = await shop({ settings: { callsPerProgram: 200 } });
  const ran = await run(`
    const done = await Promise.allSettled(Array.from({ length: 210 }, (_, id) => tools.get_price({ id: id % 50 })));
    return [done.filter(({ status }) => status === 'fulfilled').length, done.at(-1).reason?.message];
  `);
  expect(ran.result).toEqual([200, 'At most 200 calls are made in one run']);
  expect(ran.calls).toEqual([{ tool: 'get_price', ms: expect.any(Number), outcome: 'ok', count: 200 }]);
});

test('a program that never ends is stopped, and its calls are cancelled and listed', async () => {
  const { run, arrived } = await shop();
  expect(await run('for (;;) {}', { timeout_ms: 300 })).toMatchObject({
    isError: true,
    error: 'The program did not end within 300 ms and was stopped',
  });
  const hanging = await run('await tools.note(); await tools.hang()', { timeout_ms: 1_000 });
  expect(hanging).toMatchObject({ isError: true, calls_total: 2 });
  expect(hanging.calls.at(-1)).toMatchObject({ tool: 'hang', outcome: 'cancelled' });
  await eventually(() => arrived().some(({ method }) => method === 'notifications/cancelled'));
});

test('a caller that cancels stops the program and its calls', async () => {
  const { call, arrived } = await shop();
  const abort = new AbortController();
  const running = call('run_tools', { code: 'await tools.hang()' }, abort.signal);
  await eventually(() => arrived().some(({ name }) => name === 'hang'));
  abort.abort();
  await expect(running).rejects.toThrow();
  await eventually(() => arrived().some(({ method }) => method === 'notifications/cancelled'));
});

test('a program that prints without end is stopped with what it printed first', async () => {
  const { run } = await shop();
  const ran = await run('const line = "x".repeat(1000); for (let n = 0; n < 100_000; n++) print(line)');
  expect(ran.isError).toBe(true);
  expect(ran.output.length).toBeLessThan(70_000);
});

test('progress of a program reaches its caller', async () => {
  const { client } = await shop();
  const seen: number[] = [];
  await client.callTool(
    { name: 'run_tools', arguments: { code: 'for (const id of [1, 2, 3]) await tools.get_price({ id })' } },
    { onprogress: ({ progress }) => seen.push(progress) },
  );
  expect(seen).toEqual([1, 2, 3]);
});

test('a tool of a server that is starting is described when it is there', async () => {
  const { call } = await connect(startAggregator({ mode: 'code', mcpServers: { shop: shopServer() } }));
  const { structuredContent } = await call('describe_tool', { name: 'shop_get_price' });
  expect(structuredContent).toMatchObject({ name: 'shop_get_price' });
  expect(await call('describe_tool', { name: 'nothing' })).toMatchObject({ isError: true });
});

test('programs find and describe tools themselves', async () => {
  const { run } = await shop();
  const { result } = await run('return (await tools.describe_tool({ name: "get_price" })).name');
  expect(result).toBe('get_price');
});

test('a program starts empty, whatever the one before left behind', async () => {
  const { run } = await shop();
  await run('globalThis.left = 1; Object.prototype.polluted = 1; tools = 5; call = null');
  const { result } = await run('return [typeof left, ({}).polluted ?? null, await tools.get_price({ id: 4 })]');
  expect(result).toEqual(['undefined', null, 8]);
});
