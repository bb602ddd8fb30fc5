import { createLogger, serveHttp } from '@atoll-mcp/server';
import { connectHttp } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import { after, startAggregator } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CSV = 'city,n,share\nBern,1,0.5\nOslo,,0.25\nRiga,9007199254740993,1\n';

test('a query of the lake becomes a tensor for whoever may query and upload, and for no other', async () => {
  const app = startAggregator({
    builtin: true,
    runTools: true,
    servers: { memorylake: {}, 'tensor-directory': {} },
    views: {
      tensors: { servers: ['tensor-directory'] },
      lake: { servers: ['memorylake'] },
      careful: { deny: ['query_memory_tables'] },
    },
    tokens: [
      { name: 'root', token: 'root-token' },
      ...['tensors', 'lake', 'careful'].map((name) => ({ name, token: `${name}-token`, views: [name] })),
    ],
  });
  await expect.poll(() => app.status().every(({ state }) => state === 'up'), { timeout: 30_000 }).toBe(true);
  const { routes, authenticate } = app;
  const log = createLogger({ name: 'test', level: 'error' });
  const { url, close } = await serveHttp(app, { routes, log, ...(authenticate && { authenticate }) });
  after(close);
  const connect = async (token: string) => {
    const client = await connectHttp(url, { token });
    after(() => client.close());
    const call = async (name: string, args: object) => {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...args } });
      return isError ? String((content as { text: string }[])[0]?.text) : structuredContent;
    };
    return { call, names: async () => (await client.listTools()).tools.map(({ name }) => name) };
  };
  const root = await connect('root-token');
  await root.call('add_memory', { name: 'cities.csv', text: CSV });
  expect(await root.names()).toContain('from_memory_tables');
  const make = (sql: string, name = 'cities') => root.call('from_memory_tables', { sql, name });
  expect(await make('SELECT n * 1.0 AS n, share FROM cities')).toMatchObject({
    name: 'cities',
    shape: [3, 2],
    columns: ['n', 'share'],
  });
  expect(await root.call('get_tensor', { name_or_uuid: 'cities' })).toMatchObject({
    dtype: 'float64',
    values: [
      [1, 0.5],
      ['NaN', 0.25],
      [9007199254740992, 1],
    ],
    metadata: { description: 'Numbers from the lake: SELECT n * 1.0 AS n, share FROM cities' },
  });
  expect(await make('SELECT share FROM cities', 'share')).toMatchObject({ shape: [3] });
  expect(await make('SELECT city, n FROM cities')).toContain('The column "city" has "Bern" in row 1');
  expect(await make('SELECT n FROM cities WHERE 0')).toContain('gave no rows');
  expect(await make('SELECT * FROM nothing')).toContain('query_memory_tables failed: ');
  const many = 'WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 10001) SELECT x FROM t';
  expect(await make(many)).toContain('more than 10000 rows');

  const missing = { tensors: 'query_memory_tables', lake: 'upload_tensor', careful: 'query_memory_tables' };
  for (const [name, tool] of Object.entries(missing)) {
    const { call, names } = await connect(`${name}-token`);
    expect(await names(), name).not.toContain('from_memory_tables');
    const program = await call('run_tools', { code: 'return Object.keys(tools)' });
    expect(program, name).toMatchObject({ result: expect.arrayContaining(['save_result']) });
    expect(program, name).not.toMatchObject({ result: expect.arrayContaining(['from_memory_tables']) });
    const answer = await call('from_memory_tables', { sql: 'SELECT share FROM cities', name: 'stolen' });
    expect(answer, name).toContain(`the tool ${tool} is not available to you`);
  }
  expect(await root.call('get_tensor', { name_or_uuid: 'stolen' })).toContain('not found');
});
