import { afterAll, expect, test, vi } from 'vitest';
import { type Body, connect } from './open-client.ts';
import { cleanUp } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

test('files are kept apart by collection, and found within theirs only', async () => {
  const { call } = await connect();
  const pier = await call('add_memory', {
    name: 'plan.txt',
    text: 'The pier opens in May.',
    collection: 'harbour',
    tags: ['Plans', '2025'],
  });
  expect(pier).toMatchObject({ collection: 'harbour', tags: ['plans', '2025'], status: 'ready' });
  const other = await call('add_memory', { name: 'plan.txt', text: 'The pier of the other town opens in June.' });
  expect(other.id).not.toBe(pier.id);
  expect(other).not.toHaveProperty('collection');
  const ids = async (filter: object) =>
    (await call('search_memory', { query: 'pier', ...filter })).results.map(({ id }: Body) => id).sort();
  expect(await ids({})).toEqual([pier.id, other.id].sort());
  expect(await ids({ collection: 'harbour' })).toEqual([pier.id]);
  expect(await ids({ collection: 'default' })).toEqual([other.id]);
  expect(await ids({ tags: ['PLANS'] })).toEqual([pier.id]);
  expect(await ids({ tags: ['plans', 'none'] })).toEqual([]);
  expect(await ids({ created_before: '2020-01-01' })).toEqual([]);
  expect(await ids({ created_after: '2020-01-01', tags: ['2025', 'plans'] })).toEqual([pier.id]);
  expect((await call('list_memories', { tags: ['plans', '2025'] })).memories).toMatchObject([{ id: pier.id }]);
  expect((await call('list_memories', { collection: 'default' })).n).toBe(1);
});

test('the same bytes are one memory within a collection, and two in two of them', async () => {
  const { call } = await connect();
  const first = await call('add_memory', { name: 'a.txt', text: 'same words', collection: 'one' });
  const again = await call('add_memory', { name: 'b.txt', text: 'same words', collection: 'one' });
  const elsewhere = await call('add_memory', { name: 'a.txt', text: 'same words', collection: 'two' });
  expect(again.duplicate_of).toBe(first.id);
  expect(elsewhere.duplicate_of).toBeUndefined();
  expect(elsewhere.id).not.toBe(first.id);
});

test('a collection that is not there is an error, not an empty answer', async () => {
  const { call } = await connect();
  await call('add_memory', { name: 'a.csv', text: 'port,n\nAveiro,1\n', collection: 'harbour' });
  const sentence = 'Collection "harbor" does not exist. Collections: default, harbour.';
  expect(await call('search_memory', { query: 'Aveiro', collection: 'harbor' })).toBe(sentence);
  expect(await call('list_memories', { collection: 'harbor' })).toBe(sentence);
  expect(await call('query_memory_tables', { sql: 'SELECT 1', collection: 'harbor' })).toBe(sentence);
  expect((await call('query_memory_tables', { sql: 'SELECT 1', collection: 'harbour' })).tables).toHaveLength(1);
  expect(await call('query_memory_tables', { sql: 'SELECT 1', collection: 'default' })).toMatch(/no tables/);
  expect(await call('list_memories', { created_after: 'yesterday' })).toMatch(/created_after: must be a date such as/);
});

test('a memory is renamed, moved and tagged, and search follows', async () => {
  const { call } = await connect();
  const { id } = await call('add_memory', { name: 'draft.txt', text: 'The pier opens in May.' });
  const moved = await call('update_memory', {
    memory_id: id,
    collection: 'harbour',
    tags: ['final'],
    name: 'lighthouse.txt',
  });
  expect(moved).toMatchObject({ id, name: 'lighthouse.txt', collection: 'harbour', tags: ['final'], status: 'ready' });
  const found = await call('search_memory', { query: 'lighthouse', collection: 'harbour', tags: ['final'] });
  expect(found.results).toMatchObject([{ id, name: 'lighthouse.txt', collection: 'harbour', tags: ['final'] }]);
  expect((await call('search_memory', { query: 'pier', collection: 'default' })).results).toEqual([]);
  expect((await call('update_memory', { memory_id: id, tags: [] })).tags).toBeUndefined();
  expect((await call('search_memory', { query: 'pier', tags: ['final'] })).results).toEqual([]);
  expect(await call('update_memory', { memory_id: 'ds-none' })).toMatch(/Memory "ds-none" does not exist/);
});

test('collections have a description, also before they have a file', async () => {
  const { call } = await connect();
  await call('update_collection', { name: 'invoices', description: 'invoices of 2025, in German' });
  await call('add_memory', { name: 'a.txt', text: 'Rechnung', collection: 'invoices' });
  await call('add_memory', { name: 'b.txt', text: 'words' });
  const collections = [
    { name: 'default', description: '', num_memories: 1 },
    { name: 'invoices', description: 'invoices of 2025, in German', num_memories: 1 },
  ];
  expect(await call('list_collections')).toEqual({ collections, n: 2 });
  expect((await call('get_memorylake_metadata')).collections).toEqual(collections);
});
