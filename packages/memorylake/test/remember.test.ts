import { afterAll, expect, test, vi } from 'vitest';
import { type Body, connect } from './open-client.ts';
import { cleanUp, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

const PLAN = 'The pier opens in May.\n';
const search = async (call: Body, args: object) => (await call('search_memory', { query: 'pier', ...args })).results;

test('a note is found beside files, with the place it was learnt from', async () => {
  const { call } = await connect();
  const file = await call('add_memory', { name: 'plan.txt', text: PLAN });
  const [hit] = await search(call, {});
  const cite = { memory_id: file.id, place: hit.snippets[0].place };
  const text = 'The pier opens in May, as the plan says.';
  const note = await call('remember', { text, cites: [cite], tags: ['Dates'], collection: 'harbour' });
  expect(note).toMatchObject({ id: expect.stringMatching(/^note-/), tags: ['dates'], collection: 'harbour' });
  expect(note.note.cites).toEqual([
    { memory_id: file.id, name: 'plan.txt', place: { lines: [1, 1] }, text: 'The pier opens in May.' },
  ]);
  const both = await search(call, {});
  expect(both.map(({ kind }: Body) => kind).sort()).toEqual(['file', 'note']);
  expect((await search(call, { kind: 'file' })).map(({ id }: Body) => id)).toEqual([file.id]);
  const [found] = await search(call, { kind: 'note', tags: ['dates'], collection: 'harbour' });
  expect(found).toMatchObject({ id: note.id, kind: 'note', type: 'txt_file', note: { text } });
  expect(found.note).not.toHaveProperty('source_changed');
  // A note is neither counted nor listed among files.
  expect((await call('get_memorylake_metadata')).total_files).toBe(1);
  expect((await call('list_memories')).memories.map(({ id }: Body) => id)).toEqual([file.id]);
  expect((await call('list_memories', { kind: 'note' })).memories.map(({ id }: Body) => id)).toEqual([note.id]);
  expect((await call('read_memory', { memory_id: note.id })).text).toBe(text);
});

test('a note whose source changed comes back with the former and the present text', async () => {
  const folder = await newFolder();
  const { call, close } = await connect({ folder });
  const file = await call('add_memory', { name: 'plan.txt', text: PLAN });
  const other = await call('add_memory', { name: 'fees.csv', text: 'port,fee\nAveiro,3\nFaro,4\n' });
  const cites = [
    { memory_id: file.id, chunk: 1 },
    { memory_id: other.id, place: { sheet: 'fees', rows: [2, 2] } },
  ];
  const { id, note } = await call('remember', { text: 'The pier opens in May; Aveiro takes 3.', cites });
  expect(note.cites[1].text).toContain('Aveiro');
  // Lines that are added above move the text and do not change it.
  await call('add_memory', { name: 'plan.txt', text: `# Harbour of the town\n\nSome words before.\n\n${PLAN}` });
  expect((await search(call, { kind: 'note' }))[0].note).not.toHaveProperty('source_changed');
  await call('add_memory', { name: 'plan.txt', text: 'The pier opens in June.\n' });
  await call('delete_memory', { memory_ids: [other.id] });
  await close();
  const again = await connect({ folder });
  const [hit] = await search(again.call, { kind: 'note' });
  expect(hit.note.source_changed).toEqual([
    {
      memory_id: file.id,
      name: 'plan.txt',
      place: { lines: [1, 1] },
      former: 'The pier opens in May.',
      present: 'The pier opens in June.',
    },
    {
      memory_id: other.id,
      name: 'fees.csv',
      place: { sheet: 'fees', rows: [2, 2] },
      former: expect.stringContaining('Aveiro'),
      present: null,
    },
  ]);
  const fetched = await again.call('fetch_memory', { memory_ids: [id] });
  expect(fetched[id].note.source_changed).toHaveLength(2);
  const newer = await again.call('supersede', { note_id: id, text: 'The pier opens in June.' });
  expect(newer.note.cites).toMatchObject([{ memory_id: file.id, text: 'The pier opens in June.' }]);
  expect(newer.dropped_cites).toEqual([{ memory_id: other.id, name: 'fees.csv' }]);
});

test('a superseded note is kept and dated, and found only as of its time', async () => {
  const { call } = await connect();
  const first = await call('remember', { text: 'The pier opens in May.', valid_from: '2025-01-01' });
  const { id, former } = await call('supersede', {
    note_id: first.id,
    text: 'The pier opens in June.',
    valid_from: '2025-03-01',
  });
  expect(former).toMatchObject({ id: first.id, note: { valid_to: '2025-03-01T00:00:00.000Z', superseded_by: id } });
  const ids = async (args: object) => (await search(call, args)).map((hit: Body) => hit.id);
  expect(await ids({})).toEqual([id]);
  expect(await ids({ kind: 'note' })).toEqual([id]);
  expect(await ids({ as_of: '2025-02-01' })).toEqual([first.id]);
  expect(await ids({ as_of: '2025-03-01' })).toEqual([id]);
  expect(await ids({ as_of: '2024-12-31' })).toEqual([]);
  expect(await call('supersede', { note_id: first.id, text: 'x' })).toContain(`already superseded by "${id}"`);
  expect(await call('supersede', { note_id: id, text: 'x', valid_from: '2025-01-15' })).toContain(
    '"valid_from" is before',
  );
  const file = await call('add_memory', { name: 'a.txt', text: 'words' });
  expect(await call('forget', { note_ids: [id, file.id, 'note-none'] })).toEqual({
    forgotten: [id],
    not_found: [file.id, 'note-none'],
  });
  expect(await ids({ kind: 'note' })).toEqual([]);
});

test('the same words are a note and a file, and what looks like a table is still a note', async () => {
  const { call } = await connect();
  const note = await call('remember', { text: 'pier,n\nNorth,1' });
  const file = await call('add_memory', { name: 'pier.csv', text: 'pier,n\nNorth,1' });
  expect(file).not.toHaveProperty('duplicate_of');
  await call('forget', { note_ids: [note.id] });
  expect((await call('query_memory_tables', { sql: 'SELECT n FROM pier' })).rows).toEqual([[1]]);
});

test('cites that lead nowhere are refused with what there is', async () => {
  const { call } = await connect();
  const { id } = await call('add_memory', { name: 'plan.txt', text: PLAN });
  const cite = (cites: object[]) => call('remember', { text: 'x', cites });
  expect(await cite([{ memory_id: 'ds-none' }])).toContain('Memory "ds-none" does not exist');
  expect(await cite([{ memory_id: id, place: { page: 3 } }])).toBe(
    '"plan.txt" has no page 3. It has chunks 1 to 1; read_memory shows what stands where.',
  );
  expect(await cite([{ memory_id: id, chunk: 9 }])).toContain('has no chunk 9');
  expect(await cite([{ memory_id: id, place: { sheet: 'Sales', rows: [1, 2] } }])).toContain('has no sheet "Sales"');
  expect(await cite([{ memory_id: id, place: { line: 3 } }])).toContain('cites.0.place');
  expect(await call('supersede', { note_id: id, text: 'x' })).toContain(`Note "${id}" does not exist`);
  expect(await search(call, { kind: 'note' })).toEqual([]);
});
