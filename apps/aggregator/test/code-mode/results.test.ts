import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { ResultStore } from '../../src/results/result-store.ts';
import { startAggregator } from '../harness.ts';
import { connect, shop, shopServer } from './programs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Summary {
  readonly result_id: string;
  readonly uri: string;
  readonly shape: string;
  readonly head: string;
  readonly size_bytes: number;
}
/** Bodies of call_tool reach older clients as `{result}`. */
function summaryOf(answer: unknown): Summary {
  const body = (answer as { structuredContent: Summary & { result?: Summary } }).structuredContent;
  return body.result ?? body;
}

test.each(['legacy', 'modern'] as const)('a large answer is kept, and a %s client reads on in it', async (era) => {
  const { call, client } = await shop({ era, settings: { mode: 'search' } });
  const answer = await call('call_tool', { name: 'big', arguments: { rows: 2_000 } });
  const summary = summaryOf(answer);
  expect(summary.shape).toBe('{rows: [2000 × {n: number, text: string}], n: number}');
  expect(summary.size_bytes).toBeGreaterThan(200_000);
  expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  expect(answer.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: summary.uri }));
  const read = async (args: object) =>
    summaryOf(await call('read_result', { id: summary.result_id, ...args })) as unknown as {
      value: never;
      range: string;
      next_range?: string;
      length: number;
    };
  expect(await read({ path: 'rows[1999].n' })).toMatchObject({ type: 'value', value: 1999 });
  expect(await read({ path: 'rows', range: '5:7' })).toMatchObject({
    length: 2000,
    range: '5:7',
    value: [{ n: 5 }, { n: 6 }],
  });
  const seen: number[] = [];
  for (let range: string | undefined = '0:'; range !== undefined; ) {
    const part = await read({ path: 'rows', range });
    seen.push(...(part.value as { n: number }[]).map(({ n }) => n));
    expect(JSON.stringify(part.value).length).toBeLessThan(66_000);
    range = part.next_range;
  }
  expect(seen).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
  const { contents } = await client.readResource({ uri: summary.uri });
  expect(JSON.parse((contents[0] as { text: string }).text).rows).toHaveLength(2_000);
});

test('a large text of JSON is read by paths too, and stays as it was written', async () => {
  const { call } = await shop({ settings: { mode: 'search' } });
  const summary = summaryOf(await call('call_tool', { name: 'big', arguments: { rows: 2_000, as_text: true } }));
  expect(summary.shape).toBe('JSON text; as path "$": [2000 × {n: number, text: string}]');
  const read = async (args: object) => summaryOf(await call('read_result', { id: summary.result_id, ...args }));
  expect(await read({ path: '$', range: '-1:' })).toMatchObject({ type: 'list', length: 2_000, value: [{ n: 1_999 }] });
  for (const path of ['[7].n', '$[7].n']) expect(await read({ path })).toMatchObject({ type: 'value', value: 7 });
  expect(await read({ range: '0:13' })).toMatchObject({ type: 'text', value: '[\n {\n  "n": 0' });
});

test('paths and ranges that lead nowhere are refused with what would be right', async () => {
  const { call } = await shop({ settings: { mode: 'search' } });
  const { result_id: id } = summaryOf(await call('call_tool', { name: 'big', arguments: { rows: 2_000 } }));
  const refused = async (args: object) => {
    const { isError, content } = await call('read_result', { id, ...args });
    expect(isError).toBe(true);
    return (content as { text: string }[])[0]?.text;
  };
  expect(await refused({ path: 'rows[5000]' })).toBe('"rows[5000]" does not exist: "5000" was not found');
  for (const path of ['__proto__', 'constructor.name', 'rows.length', 'rows["n"]']) {
    expect(await refused({ path })).toContain('does not exist');
  }
  expect(await refused({ path: 'rows[' })).toContain('is not a path');
  expect(await refused({ range: 'all' })).toContain('is not a range');
  expect(await refused({ id: '00000000-0000-0000-0000-000000000000' })).toContain('Result not found');
});

test('pictures and small answers pass unchanged', async () => {
  const { call } = await shop({ settings: { mode: 'search' } });
  const picture = await call('call_tool', { name: 'picture', arguments: {} });
  expect(picture.content).toEqual([{ type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' }]);
  const small = await call('call_tool', { name: 'big', arguments: { rows: 3 } });
  expect(small.structuredContent).toMatchObject({ n: 3 });
});

test('full mode keeps nothing unless a view says so, and then lists no output schemas but read_result', async () => {
  const mcpServers = { shop: shopServer({ prefix: '' }) };
  const whole = await connect(startAggregator({ mcpServers }));
  expect((await whole.call('big', { rows: 2_000 })).structuredContent).toMatchObject({ n: 2_000 });
  const bounded = await connect(startAggregator({ mcpServers, maxResultBytes: 10_000 }), { era: 'legacy' });
  const { tools } = await bounded.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('read_result');
  expect(tools.find(({ name }) => name === 'get_price')).not.toHaveProperty('outputSchema');
  expect(summaryOf(await bounded.call('big', { rows: 200 })).result_id).toBeDefined();
});

test('programs get answers complete, return large values as a kept result, and read kept results', async () => {
  const { run, call } = await shop();
  const { result } = await run('return (await tools.big({ rows: 3000 })).rows.length');
  expect(result).toBe(3_000);
  const large = (await run('return tools.big({ rows: 3000 })')).result as Summary;
  expect(large.shape).toContain('3000 ×');
  const again = await run(`return (await tools.read_result({ id: "${large.result_id}" })).value.rows.length`);
  expect(again.result).toBe(3_000);
  expect(summaryOf(await call('read_result', { id: large.uri, path: 'n' }))).toMatchObject({ value: 3_000 });
});

test('a kept result becomes a file of the lake or a tensor in one call, for whoever may call those tools', async () => {
  const app = startAggregator({
    builtin: true,
    servers: { memorylake: {}, 'tensor-directory': {} },
    mcpServers: { shop: shopServer({ prefix: '' }) },
    maxResultBytes: 10_000,
    mode: 'search',
  });
  const { call, client } = await connect(app);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('save_result');
  const { result_id: id } = summaryOf(await call('call_tool', { name: 'big', arguments: { rows: 300 } }));
  const save = async (args: object) => {
    const { structuredContent, content, isError } = await call('save_result', { id, ...args });
    return isError ? (content as { text: string }[])[0]?.text : structuredContent;
  };
  const rows = { as: 'memory', path: 'rows', name: 'rows.csv' };
  expect(await save(rows)).toMatchObject({ tool: 'add_memory', answer: { name: 'rows.csv', status: 'ready' } });
  const sum = await call('query_memory_tables', { sql: 'SELECT SUM(n), COUNT(text) FROM rows' });
  expect(sum.structuredContent).toMatchObject({ result: { rows: [[44_850, 300]] } });
  expect(await save({ as: 'memory', name: 'all.json' })).toMatchObject({ answer: { status: 'ready' } });
  expect(await save({ as: 'memory', name: 'all.csv' })).toContain('takes a list of records');
  expect(await save({ as: 'tensor', name: 'rows', path: 'rows' })).toContain('upload_tensor did not store it: ');
  expect(await save({ as: 'tensor', name: 'n', path: 'nothing' })).toContain('does not exist');
  const servers = { 'tensor-directory': {}, memorylake: { deny: ['add_memory'] } };
  const programs = await connect(startAggregator({ mode: 'code', builtin: true, servers }));
  const { result } = await programs.run('return Array.from({ length: 30_000 }, (_, n) => [n, n / 2])');
  const kept = { id: (result as Summary).result_id, name: 'numbers' };
  const stored = await programs.call('save_result', { ...kept, as: 'tensor' });
  expect(stored.structuredContent).toMatchObject({ tool: 'upload_tensor', answer: { name: 'numbers' } });
  const { content } = await programs.call('save_result', { ...kept, as: 'memory' });
  expect(content).toMatchObject([{ text: expect.stringContaining('add_memory is not available to you') }]);
});

test('what is kept takes the memory of its text, not of its values', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const store = new ResultStore();
  const text = `[${'[],'.repeat(3_000_000)}0]`;
  collect();
  const before = process.memoryUsage().heapUsed;
  const ids = ['a', 'b', 'c', 'd'].map((owner) => store.keep(owner, { text, isJson: true }) ?? '');
  for (const [index, owner] of ['a', 'b', 'c', 'd'].entries()) {
    expect(store.find(owner, ids[index] ?? '')?.value).toHaveLength(3_000_001);
    expect(store.find(owner, ids[index] ?? '')?.text.length).toBe(text.length);
  }
  // A value that was just read is kept until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
});

test('the store is bounded in age, in bytes of each owner and in all', () => {
  let now = 0;
  const store = new ResultStore({ ttlMs: 1_000, bytesPerOwner: 100, bytes: 150, now: () => now });
  const keep = (owner: string, size: number) => store.keep(owner, { text: owner.repeat(size), isJson: false }) ?? '';
  const first = keep('a', 60);
  const second = keep('a', 60);
  expect(store.find('a', first)).toBeUndefined();
  expect(store.find('a', second)).toBeDefined();
  expect(store.find('b', second)).toBeUndefined();
  expect(keep('a', 101)).toBe('');
  const third = keep('b', 95);
  expect([store.find('a', second), store.find('b', third)?.id]).toEqual([undefined, third]);
  now = 1_001;
  expect(store.find('b', third)).toBeUndefined();
});
