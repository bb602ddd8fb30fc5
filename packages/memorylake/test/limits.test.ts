import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contract } from '../src/contract.ts';
import { pdf, pdfText } from './make-files.ts';
import { type Body, connect } from './open-client.ts';
import { cleanUp, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Call = Awaited<ReturnType<typeof connect>>['call'];
let all: Awaited<ReturnType<typeof connect>>;
let call: Call;
let client: Awaited<ReturnType<typeof all.limitedTo>>['client'];
let importRoot: string;
const foreign: Record<'csv' | 'pdf' | 'note' | 'executor' | 'result' | 'table', string> = {} as never;
const own: Record<'csv' | 'note' | 'executor', string> = {} as never;

/** Occurs in everything of the other collection, and nowhere else. */
const SECRET = /zanzibar|secret/i;

beforeAll(async () => {
  importRoot = join(await newFolder(), 'secret');
  await mkdir(importRoot);
  await writeFile(join(importRoot, 'plan.txt'), 'The zanzibar plan');
  all = await connect({ flags: ['--import-root', importRoot] });
  const add = (name: string, text: string, collection: string) => all.call('add_memory', { name, text, collection });
  await all.call('update_collection', { name: 'private', description: 'secret things' });
  await add('secret.csv', 'city,amount\nzanzibar,1\nzanzibar,2', 'private');
  foreign.csv = (await add('secret.csv', 'city,amount\nzanzibar,1\nzanzibar,3', 'private')).id;
  const page = pdf([pdfText([[72, 700, 'Zanzibar is a secret.']])]).toString('base64');
  foreign.pdf = (await all.call('add_memory', { name: 'secret.pdf', base64: page, collection: 'private' })).id;
  const cites = [{ memory_id: foreign.csv, chunk: 1 }];
  foreign.note = (await all.call('remember', { text: 'zanzibar is secret', cites, collection: 'private' })).id;
  foreign.executor = (await all.call('create_memory_code_runner', { language: 'javascript' })).executor_id;
  const { tables, files } = await all.call('query_memory_tables', {
    sql: 'SELECT 1',
    collection: 'private',
    save_as: 'secret.csv',
  });
  foreign.table = tables[0].table ?? tables[0].name;
  foreign.result = files[0].uri;
  // A note of the caller's own collection that rests on a memory of the other one, and on one of its own.
  own.csv = (await add('bill.csv', 'item,price\nrope,4\nsail,9', 'invoices')).id;
  const mixed = [...cites, { memory_id: own.csv, chunk: 1 }];
  own.note = (await all.call('remember', { text: 'Ropes are cheap', cites: mixed, collection: 'invoices' })).id;
  ({ call, client } = await all.limitedTo('invoices'));
  own.executor = (await call('create_memory_code_runner', { language: 'javascript' })).executor_id;
  for (const id of Object.values({ ...foreign, ...own })) expect(id).toMatch(/./);
});
afterAll(cleanUp);

const run = (executor_id: string, code: string) => call('run_memory_code', { executor_id, code });

/** What each tool is asked for of the other collection; the answer must be that for something that is not there. */
const attempts: Record<string, (id: string, collection: string) => Promise<unknown>[]> = {
  get_memorylake_metadata: () => [call('get_memorylake_metadata')],
  search_memory: (id, collection) => [
    call('search_memory', { query: 'zanzibar', limit: 100 }),
    call('search_memory', { query: 'zanzibar', memory_ids: [id] }),
    call('search_memory', { query: 'zanzibar', kind: 'note' }),
    call('search_memory', { query: 'zanzibar', collection }),
  ],
  fetch_memory: (id) => [call('fetch_memory', { memory_ids: [id] }), call('fetch_memory', { memory_ids: [own.note] })],
  create_memory_code_runner: (id) => [
    run(
      own.executor,
      `try { console.log(get_memory_path(${JSON.stringify(id)}, 'x')) } catch (e) { console.log('none') }`,
    ),
    run(
      own.executor,
      `try { console.log(get_memory_path('tables:' + ${JSON.stringify(id)}, 'x')) } catch (e) { console.log('none') }`,
    ),
  ],
  run_memory_code: (id) => [
    run(id, '1'),
    call('run_memory_code', { executor_id: own.executor, code: '1', keep: true, collection: 'private' }),
  ],
  close_memory_code_runner: (id) => [call('close_memory_code_runner', { executor_id: id })],
  add_memory: (_, collection) => [
    call('add_memory', { name: 'secret.csv', text: 'city,amount\nzanzibar,1', collection }),
    call('add_memory', { name: 'plan.txt', path: join(importRoot, 'plan.txt') }),
  ],
  list_memories: (_, collection) => [
    call('list_memories', { limit: 100 }),
    call('list_memories', { collection }),
    call('list_memories', { name_contains: 'secret' }),
  ],
  read_memory: (id) => [
    call('read_memory', { memory_id: id }),
    call('read_memory', { memory_id: id, version: 1 }),
    call('read_memory', { memory_id: id, chunk: 1 }),
    call('read_memory', { memory_id: id, sheet: 'secret' }),
  ],
  query_memory_tables: (id, collection) => [
    call('query_memory_tables', { sql: `SELECT * FROM "${foreign.table}"` }),
    call('query_memory_tables', { sql: 'SELECT name FROM sqlite_master' }),
    call('query_memory_tables', { sql: 'SELECT 1', memory_ids: [id] }),
    call('query_memory_tables', { sql: 'SELECT 1', collection }),
  ],
  chart_memory_tables: (id, collection) => {
    const chart = { type: 'bar', x: 'city', y: 'amount' };
    return [{}, { memory_ids: [id] }, { collection }].map((filter) =>
      call('chart_memory_tables', { sql: `SELECT city, amount FROM "${foreign.table}"`, chart, ...filter }),
    );
  },
  delete_memory: (id) => [call('delete_memory', { memory_ids: [id] })],
  list_collections: () => [call('list_collections')],
  update_collection: (_, collection) => [call('update_collection', { name: collection, description: 'mine now' })],
  update_memory: (id, collection) => [
    call('update_memory', { memory_id: id, name: 'mine.csv' }),
    call('update_memory', { memory_id: id, collection: 'invoices' }),
    call('update_memory', { memory_id: own.csv, collection }),
  ],
  list_versions: (id) => [call('list_versions', { memory_id: id })],
  diff_versions: (id) => [call('diff_versions', { memory_id: id, from: 1, to: 2 })],
  similar_memories: (id) => [call('similar_memories', { memory_id: id, least: 0 })],
  remember: (id, collection) => [
    call('remember', { text: 'x', cites: [{ memory_id: id }] }),
    call('remember', { text: 'x', collection }),
  ],
  supersede: (id) => [call('supersede', { note_id: id, text: 'x' })],
  forget: (id) => [call('forget', { note_ids: [id] })],
};

const idFor = (tool: string): string => {
  if (/code_runner|run_memory/.test(tool) && tool !== 'create_memory_code_runner') return foreign.executor;
  return tool === 'supersede' || tool === 'forget' ? foreign.note : foreign.csv;
};

describe('a caller who is limited to a collection', () => {
  test('every tool has an attempt', () => {
    expect(Object.keys(attempts).sort()).toEqual(contract.tools.map(({ name }) => name).sort());
  });

  test.each(Object.keys(attempts))('%s answers as if the rest were not there', async (tool) => {
    const plain = async (id: string, collection: string) =>
      JSON.stringify(await Promise.all(attempts[tool]!(id, collection)))
        .replaceAll(id, 'ID')
        .replaceAll(`\\"${collection}\\"`, 'COLLECTION');
    const answer = await plain(idFor(tool), 'private');
    // The names that the caller itself wrote may come back.
    const echoed = answer.replaceAll(foreign.table, '').replaceAll('/secret/', '').replaceAll('"secret"', '');
    expect(echoed).not.toMatch(SECRET);
    expect(echoed).not.toContain('private');
    if (tool === 'create_memory_code_runner' || tool === 'run_memory_code') return;
    expect(answer).toBe(await plain(`${idFor(tool).slice(0, 5)}nothing`, 'nowhere'));
  });

  test('nothing of the other collection was changed', async () => {
    const { memories } = await all.call('list_memories', { collection: 'private' });
    expect(memories.map(({ name }: Body) => name)).toEqual(['secret.csv', 'secret.pdf']);
    expect(await all.call('fetch_memory', { memory_ids: [foreign.note] })).toHaveProperty(foreign.note);
    expect((await all.call('list_collections')).collections).toContainEqual(
      expect.objectContaining({ name: 'private', description: 'secret things' }),
    );
    expect(await all.call('run_memory_code', { executor_id: foreign.executor, code: '1' })).toMatchObject({
      success: true,
    });
  });

  test('resources, completions and prompts keep to it', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('memory://'))).toEqual([
      `memory://${own.csv}`,
    ]);
    for (const uri of [`memory://${foreign.csv}`, `memory://${foreign.pdf}/pages/1.png`, foreign.result])
      await expect(client.readResource({ uri })).rejects.toThrow(/not found|no resource|there is no/i);
    const ref = { type: 'ref/resource', uri: 'memory://{id}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'secret' } });
    expect(completion.values).toEqual([]);
    expect(JSON.stringify(await client.getPrompt({ name: 'what_is_in_here' }))).not.toMatch(SECRET);
  });

  test('its own collection is all there', async () => {
    expect(await call('get_memorylake_metadata')).toMatchObject({ total_files: 1, total_excel_files: 1 });
    expect((await call('search_memory', { query: 'price of the rope' })).results[0]).toMatchObject({ id: own.csv });
    expect((await call('list_collections')).collections.map(({ name }: Body) => name)).toEqual(['invoices']);
    const added = await call('add_memory', { name: 'next.csv', text: 'item,price\nmast,90' });
    expect(added).toMatchObject({ status: 'ready', collection: 'invoices' });
    expect((await call('query_memory_tables', { sql: 'SELECT price FROM bill' })).rows).toEqual([[4], [9]]);
    const made = await run(
      own.executor,
      `writeText('out/a.txt', 'made'); console.log(readText(get_memory_path('${own.csv}', 'bill.csv')))`,
    );
    expect(made.output).toContain('rope,4');
    expect(made).toMatchObject({ success: true });
    expect((await client.readResource({ uri: made.files[0].uri })).contents[0]).toMatchObject({ text: 'made' });
    const { note } = await call('supersede', { note_id: own.note, text: 'Ropes cost four' });
    expect(note.cites.map(({ memory_id }: Body) => memory_id)).toEqual([own.csv]);
  });

  test('a file that was moved away is not taken back by its name', async () => {
    const { id } = await call('add_memory', { name: 'moved.txt', text: 'first words' });
    await all.call('update_memory', { memory_id: id, collection: 'private' });
    const again = await call('add_memory', { name: 'moved.txt', text: 'other words' });
    expect(again).toMatchObject({ status: 'ready', collection: 'invoices' });
    expect(again.id).not.toBe(id);
    expect(await all.call('read_memory', { memory_id: id })).toMatchObject({ text: 'first words' });
  });

  test('a limit to nothing shows nothing, and one to several asks which to write to', async () => {
    const none = await all.limitedTo();
    expect(await none.call('search_memory', { query: 'zanzibar rope' })).toMatchObject({ n: 0, results: [] });
    expect(await none.call('list_memories')).toMatchObject({ n: 0 });
    expect(await none.call('add_memory', { name: 'a.txt', text: 'a' })).toContain('does not exist');
    const two = await all.limitedTo('invoices', 'orders');
    expect(await two.call('add_memory', { name: 'a.txt', text: 'a' })).toContain('Collections: invoices, orders.');
    expect(await two.call('add_memory', { name: 'a.txt', text: 'a', collection: 'orders' })).toMatchObject({
      collection: 'orders',
    });
  });
});
