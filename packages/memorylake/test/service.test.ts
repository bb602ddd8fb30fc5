import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { leaveOut } from '../../../tooling/test/needs.mjs';
import { openLake } from '../src/server.ts';
import { uploadedFile } from '../src/service/library.ts';
import type { MemoryLakeService } from '../src/service.ts';
import { pdf, pdfText, rows, xlsx } from './make-files.ts';
import { afterTests, cleanUp, configFor, hashEmbedder, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

async function newLake(
  embedder: ReturnType<typeof hashEmbedder> | null = hashEmbedder(),
  folder?: string,
): Promise<MemoryLakeService> {
  const lake = await openLake(configFor(folder ?? (await newFolder())), { embedder, log: silentLogger });
  afterTests(() => lake.close());
  return lake;
}

const text = (name: string, content: string) => uploadedFile(name, Buffer.from(content));

test('a call that nobody waits for any more reads no table', async () => {
  const lake = await newLake(null);
  const { memory } = await lake.add(text('ports.csv', 'port,n\nAveiro,1\nFaro,2\n'));
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(lake.read(memory.id, { rows: '1:2' }, signal)).rejects.toThrow('enough');
  await expect(lake.queryTables('SELECT * FROM ports', { limit: 1, signal })).rejects.toThrow('enough');
});

describe('what the lake holds', () => {
  test('the same bytes twice are one memory, whatever their name', async () => {
    const lake = await newLake();
    const first = await lake.add(text('a.txt', 'The pier opens in May.'));
    const second = await lake.add(text('b.txt', 'The pier opens in May.'));
    expect(second).toMatchObject({ isDuplicate: true, memory: { id: first.memory.id, name: 'a.txt' } });
    expect((await lake.list({})).total).toBe(1);
  });

  test('a changed file replaces its former self under the same id', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(text('plan.txt', 'The pier opens in May.'));
    const changed = await lake.add(text('plan.txt', 'The lighthouse opens in June.'));
    expect(changed).toMatchObject({ isDuplicate: false, memory: { id: memory.id, status: 'ready' } });
    expect((await lake.search({ query: 'pier' })).results).toEqual([]);
    expect((await lake.search({ query: 'lighthouse' })).results[0]?.memory.id).toBe(memory.id);
  });

  test('when one of two equal files changes, the other stays what it was', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(text('a.txt', 'shared words'));
    await lake.add(text('b.txt', 'shared words'));
    const changed = await lake.add(text('b.txt', 'words of its own'));
    expect(changed.memory.id).not.toBe(memory.id);
    expect((await lake.list({})).total).toBe(2);
  });

  test('a file that becomes equal to another leaves nothing of its own behind', async () => {
    const lake = await newLake();
    await lake.add(text('a.txt', 'about lighthouses'));
    await lake.add(text('b.txt', 'about windmills'));
    await lake.add(text('b.txt', 'about lighthouses'));
    expect((await lake.list({})).total).toBe(1);
    expect((await lake.search({ query: 'windmills' })).results).toEqual([]);
  });

  test('the table of a file that became equal to another gives its name back', async () => {
    const lake = await newLake(null);
    const [ports, tides] = ['port,n\nAveiro,1\nFaro,2\n', 'tide,n\nhigh,1\nlow,2\n'];
    await lake.add(text('ports.csv', ports));
    await lake.add(text('tides.csv', tides));
    await lake.add(text('tides.csv', ports));
    await lake.add(text('new/tides.csv', tides));
    const { rows } = await lake.queryTables('SELECT count(*) FROM tides', { limit: 1 });
    expect(rows).toEqual([[2]]);
  });

  test('a file that cannot be read is kept as failed with its reason, and tried again when it comes again', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(text('empty.txt', ''));
    expect(memory).toMatchObject({ status: 'failed', reason: 'It is empty', type: 'txt_file' });
    expect((await lake.add(text('empty.txt', ''))).memory).toMatchObject({ id: memory.id, status: 'failed' });
    expect((await lake.add(text('empty.txt', 'now it says something'))).memory).toMatchObject({
      id: memory.id,
      status: 'ready',
    });
  });

  test('removal is for good: text, record and bytes', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(text('secret.txt', 'The code word is marzipan.'));
    expect(await lake.remove([memory.id, 'ds-none'])).toEqual({ deleted: [memory.id], notFound: ['ds-none'] });
    expect((await lake.search({ query: 'marzipan' })).results).toEqual([]);
    await expect(lake.bytesOf(memory)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a name is a name and never a path', async () => {
    const lake = await newLake();
    expect((await lake.add(text('../../etc/pass\u0000wd', 'x y z'))).memory.name).toBe('passwd');
  });
});

describe('search', () => {
  test('finds by name and by sheet, groups by memory and says where', async () => {
    const lake = await newLake();
    await lake.add(
      uploadedFile(
        'quarterly-sales.xlsx',
        xlsx({
          Lisbon: rows([
            ['product', 'units'],
            ['anchor', 4],
            ['buoy', 7],
          ]),
        }),
      ),
    );
    await lake.add(text('other.txt', 'Nothing about that.'));
    const byName = await lake.search({ query: 'quarterly-sales' });
    expect(byName.results).toHaveLength(1);
    expect(byName.results[0]?.summary).toContain('Sheet "Lisbon"');
    const byCell = await lake.search({ query: 'buoy units in Lisbon' });
    expect(byCell.results[0]?.passages[0]).toMatchObject({ place: { sheet: 'Lisbon', rows: [1, 3] }, chunk: 1 });
    expect(byCell.results[0]?.summary).toContain('buoy | 7');
  });

  test('narrows by type and by memory', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(text('a.txt', 'harbour news'));
    await lake.add(text('b.csv', 'topic,n\nharbour,1\nharbour,2\n'));
    expect((await lake.search({ query: 'harbour' })).results).toHaveLength(2);
    expect((await lake.search({ query: 'harbour', type: 'excel_file' })).results.map((r) => r.memory.name)).toEqual([
      'b.csv',
    ]);
    expect((await lake.search({ query: 'harbour', memoryIds: [memory.id] })).results.map((r) => r.memory.name)).toEqual(
      ['a.txt'],
    );
    expect((await lake.search({ query: 'harbour', limit: 1 })).results).toHaveLength(1);
  });

  test('words of a query language are plain words', async () => {
    const lake = await newLake();
    await lake.add(text('a.txt', 'A NEAR miss OR a hit: "quotes" (and) brackets*'));
    for (const query of ['"quotes', 'NEAR(', 'a AND OR NOT', 'brackets* ^ :', "'; DROP TABLE memories; --"]) {
      await expect(lake.search({ query })).resolves.toMatchObject({ mode: 'hybrid' });
    }
  });

  test('without an embedder, or with one that is down, the answer says that only keywords were used', async () => {
    const without = await newLake(null);
    await without.add(text('a.txt', 'The pier opens in May.'));
    expect(await without.search({ query: 'pier' })).toMatchObject({
      mode: 'keywords',
      notice: expect.stringContaining('without an embedding model'),
      results: [{}],
    });

    const embedder = hashEmbedder();
    const lake = await newLake(embedder);
    await lake.add(text('a.txt', 'The pier opens in May.'));
    embedder.isDown = true;
    expect(await lake.search({ query: 'pier' })).toMatchObject({
      mode: 'keywords',
      notice: expect.stringContaining('not available'),
      results: [{}],
    });
    const { memory } = await lake.add(text('b.txt', 'Added while the model was away.'));
    expect(memory).toMatchObject({ status: 'ready', model: null });
    embedder.isDown = false;
    expect(await lake.search({ query: 'away' })).toMatchObject({
      mode: 'hybrid',
      notice: expect.stringContaining('1 of 2 files'),
      results: [{}],
    });
    await lake.reindex();
    expect((await lake.search({ query: 'away' })).notice).toBeUndefined();
  });

  test('a search that fails is an error, never an empty answer', async () => {
    const lake = await newLake();
    await lake.add(text('a.txt', 'The pier opens in May.'));
    await lake.close();
    await expect(lake.search({ query: 'pier' })).rejects.toThrow();
  });

  test('a question without a word is refused', async () => {
    await expect((await newLake()).search({ query: '  ' })).rejects.toMatchObject({ code: 'EMPTY_QUERY' });
  });

  test('a lake of another model is searched by keywords until it is read again', async () => {
    const folder = await newFolder();
    const first = await newLake(hashEmbedder(), folder);
    await first.add(text('a.txt', 'The pier opens in May.'));
    await first.close();
    const wider = { ...hashEmbedder(), identity: 'hash-128', dimensions: 128 };
    const narrow = wider.embed.bind(wider);
    wider.embed = async (texts) =>
      (await narrow(texts)).map((vector) => new Float32Array([...vector, ...vector].map((v) => v / Math.SQRT2)));
    const second = await newLake(wider, folder);
    expect(await second.search({ query: 'pier' })).toMatchObject({
      mode: 'keywords',
      notice: expect.stringContaining('reindex'),
    });
    await second.reindex();
    expect(await second.search({ query: 'pier' })).toMatchObject({ mode: 'hybrid', results: [{}] });
  });
});

describe('reading', () => {
  test('gives a chunk, rows of a sheet, or says what there is', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(
      uploadedFile('s.xlsx', xlsx({ North: rows([['id'], [1], [2], [3]]), South: rows([['id'], [9]]) })),
    );
    expect(await lake.read(memory.id, { sheet: 'North', rows: '2:3' })).toMatchObject({
      place: 'sheet North, rows 2–3',
      text: '1\n2',
    });
    expect(await lake.read(memory.id, { chunk: 2 })).toMatchObject({ place: 'sheet South, rows 1–2', text: 'id\n9' });
    await expect(lake.read(memory.id, { sheet: 'West' })).rejects.toThrow('Its sheets are: North, South.');
    await expect(lake.read(memory.id, { rows: 'many' })).rejects.toMatchObject({ code: 'BAD_ROWS' });
    await expect(lake.read(memory.id, { chunk: 3 })).rejects.toThrow('chunks 1 to 2');
    await expect(lake.read('ds-none', {})).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' });
  });
});

test('a page is read alone, and one that is not there is told', async () => {
  const lake = await newLake(null);
  const pages = ['first words', 'second words', 'third words'].map((words) => pdfText([[72, 700, words]]));
  const { memory } = await lake.add(uploadedFile('book.pdf', pdf(pages)));
  expect(await lake.read(memory.id, { page: 2 })).toMatchObject({
    place: 'page 2',
    text: 'second words',
    truncated: false,
  });
  expect((await lake.read(memory.id, {})).text).toBe('first words\n\nsecond words\n\nthird words');
  await expect(lake.read(memory.id, { page: 4 })).rejects.toThrow('It has pages 1 to 3.');
});

describe('SQL over tables', () => {
  test('each sheet is a table with types, under a name that the answer lists and that stays', async () => {
    const lake = await newLake();
    await lake.add(
      uploadedFile(
        'Q3 Sales (final).xlsx',
        xlsx({
          North: rows([
            ['product', 'units', 'Unit price'],
            ['anchor', 4, 2.5],
            ['buoy', 7, 3],
          ]),
          South: rows([
            ['product', 'units'],
            ['rope', 1],
          ]),
        }),
      ),
    );
    await lake.add(text('staff.csv', 'name,team\nAda,Sales\nBo,Ops\n'));
    const all = await lake.queryTables('SELECT 1', { limit: 10 });
    expect(all.tables.map(({ table }) => table)).toEqual(['q3_sales_final_north', 'q3_sales_final_south', 'staff']);
    const sum = await lake.queryTables(
      'SELECT SUM(units * "Unit price") AS total, typeof(units) AS kind FROM q3_sales_final_north',
      { limit: 10 },
    );
    expect(sum).toMatchObject({
      columns: ['total', 'kind'],
      rows: [[31, 'integer']],
      truncated: false,
      tables: [{ table: 'q3_sales_final_north', sheet: 'North' }],
    });
    const cut = await lake.queryTables('SELECT name FROM staff ORDER BY name', { limit: 1 });
    expect(cut).toMatchObject({ rows: [['Ada']], truncated: true });
  });

  test('a wrong query is told what tables there are, and nothing can be written', async () => {
    const lake = await newLake();
    await lake.add(text('staff.csv', 'name,team\nAda,Sales\nBo,Ops\n'));
    await expect(lake.queryTables('SELECT * FROM nobody', { limit: 10 })).rejects.toThrow('staff (name, team)');
    await expect(lake.queryTables('DROP TABLE staff', { limit: 10 })).rejects.toMatchObject({ code: 'SQL_FAILED' });
    await expect(lake.queryTables('SELECT * FROM nobody', { limit: 10 })).rejects.toThrow(
      'no such table: nobody. Tables: ',
    );
    expect((await lake.queryTables('SELECT COUNT(*) FROM staff', { limit: 10 })).rows).toEqual([[2]]);
  });

  test('a lake without tables says so', async () => {
    await expect((await newLake()).queryTables('SELECT 1', { limit: 1 })).rejects.toMatchObject({ code: 'NO_TABLES' });
  });
});

describe('summaries and imports', () => {
  test('an endpoint can write the summaries; when it fails, the own one stands', async () => {
    const asked: { messages: { content: string }[] }[] = [];
    let status = 200;
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      asked.push(JSON.parse(body));
      response
        .writeHead(status, { location: '/v1/elsewhere' })
        .end(JSON.stringify({ choices: [{ message: { content: 'A note about a pier.' } }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterTests(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const lake = await openLake(configFor(await newFolder(), '--summary-url', url, '--summary-model', 'tiny'), {
      embedder: null,
    });
    afterTests(() => lake.close());
    expect((await lake.add(text('a.txt', 'The pier opens in May.'))).memory.summary).toBe('A note about a pier.');
    expect(asked[0]?.messages[1]?.content).toContain('The pier opens in May.');
    status = 500;
    expect((await lake.add(text('b.txt', 'The lighthouse blinks.'))).memory).toMatchObject({
      status: 'ready',
      summary: expect.stringContaining('lighthouse'),
    });
    // What is sent holds the text of the file and the key: it goes nowhere else.
    status = 307;
    await lake.add(text('c.txt', 'The ferry leaves at noon.'));
    expect(asked).toHaveLength(3);
  });

  test('an endpoint without a model, or a model without an endpoint, is a bad configuration', async () => {
    await expect(openLake(configFor(await newFolder(), '--summary-model', 'tiny'))).rejects.toThrow(
      'give both or neither',
    );
  });

  test('a name that only begins like the way up is a name', async () => {
    const root = await newFolder();
    await writeFile(join(root, '..notes.txt'), 'The pier opens in May.');
    const lake = await openLake(configFor(await newFolder(), '--import-root', root), { embedder: null });
    afterTests(() => lake.close());
    const { memory } = await lake.addGiven({ name: 'notes.txt', path: '..notes.txt' });
    expect(memory.status).toBe('ready');
  });

  test('a path is taken only from inside the import folders, links followed', async () => {
    const [root, outside] = [await newFolder(), await newFolder()];
    await writeFile(join(root, 'inside.txt'), 'Words from inside.');
    await writeFile(join(outside, 'secret.txt'), 'Words from outside.');
    await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'));
    const lake = await openLake(configFor(await newFolder(), '--import-root', root), { embedder: null });
    afterTests(() => lake.close());
    expect((await lake.addGiven({ name: 'inside.txt', path: join(root, 'inside.txt') })).memory.status).toBe('ready');
    expect((await lake.addGiven({ name: 'again.txt', path: 'inside.txt' })).isDuplicate).toBe(true);
    for (const path of [
      join(outside, 'secret.txt'),
      join(root, 'link.txt'),
      join(root, '../..'),
      root,
      'missing.txt',
    ]) {
      await expect(lake.addGiven({ name: 'x.txt', path }), path).rejects.toMatchObject({ code: 'IMPORT_REFUSED' });
    }
  });
});

describe('executors', () => {
  test('keep their variables, read only what the lake holds, and tell their ends apart', async () => {
    const lake = await newLake();
    const { memory } = await lake.add(text('note.txt', 'The pier opens in May.'));
    const id = await lake.code.create('javascript');
    expect(id).toMatch(/^executor-/);
    expect(await lake.code.run(id, 'globalThis.kept = 41')).toMatchObject({ ok: true });
    const run = await lake.code.run(id, `console.log(kept + 1, readText(get_memory_path("${memory.id}", "note.txt")))`);
    expect(run).toMatchObject({ ok: true, stdout: expect.stringContaining('42 The pier opens in May.') });
    expect(await lake.code.run(id, 'get_memory_path("ds-none", "note.txt")')).toMatchObject({
      ok: false,
      error: { kind: 'exception' },
    });
    expect(await lake.code.run(id, 'throw new Error("mine")')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('mine') },
    });
    await lake.code.close(id);
    await expect(lake.code.run(id, '1')).rejects.toMatchObject({ code: 'EXECUTOR_CLOSED' });
    await expect(lake.code.run('executor-none', '1')).rejects.toMatchObject({ code: 'EXECUTOR_NOT_FOUND' });
  });
});

test('aggregates over columns as people write them are right, and mixed columns say so', async () => {
  const lake = await newLake(null);
  await lake.add(
    text('prices.csv', 'Item,Close Price, Qty ,Share\nA, 99.99,"1,200",12%\nB,193.98,30,8 %\nC,N/A,see note,5%\n'),
  );
  const query = (sql: string) => lake.queryTables(sql, { limit: 10 });
  const { rows, notice } = await query('SELECT MAX("Close Price"), MEDIAN("Close Price"), SUM(Share) FROM prices');
  expect(rows).toEqual([[193.98, expect.closeTo(146.985, 9), 25]]);
  expect(notice).toBeUndefined();
  const mixed = await query('SELECT SUM(" Qty "), MAX(" Qty  (text)") FROM prices');
  expect(mixed.rows).toEqual([[1230, 'see note']]);
  expect(mixed.notice).toContain('is mixed: 66.6 % of its cells');
  expect(mixed.tables[0]!.columns).toMatchObject([
    { name: 'Item', type: 'text', share: 1 },
    { name: 'Close Price', type: 'real', share: 1 },
    { name: ' Qty ', type: 'integer', share: 0.6666, examples: ['see note'] },
    { name: 'Share', type: 'integer', share: 1, unit: '%' },
    { name: ' Qty  (text)', type: 'text' },
  ]);
  const { tables } = await query('SELECT 1');
  expect(tables[0]!.columns).toMatchObject([
    { type: 'text' },
    { type: 'real' },
    { type: 'integer', share: 0.6666 },
    { unit: '%' },
  ]);
});

describe('reading and finding', () => {
  test('an empty cell keeps its column, and a snippet of a sheet begins with the column names', async () => {
    const lake = await newLake(null);
    const filler = Array.from({ length: 200 }, (_, at) => `Harbour${at},north,${at},`).join('\n');
    const { memory } = await lake.add(
      text('ports.csv', `port,coast,berths,owner\nAveiro,,4,city\n${filler}\nFaro,,,crown\n`),
    );
    expect(await lake.read(memory.id, { rows: '2:2' })).toMatchObject({ text: 'Aveiro |  | 4 | city' });
    const { results } = await lake.search({ query: 'Faro' });
    const snippet = results[0]!.passages[0]!.text;
    expect(snippet.startsWith('port | coast | berths | owner\n')).toBe(true);
    expect(snippet).toContain('Faro | | | crown');
    expect(await lake.read(memory.id, { sheet: 'ports' })).toMatchObject({
      truncated: true,
      place: 'sheet ports, rows 1–200',
    });
  });

  test('a text longer than an answer is read on from where the last one ended', async () => {
    const lake = await newLake(null);
    const content = Array.from({ length: 9_000 }, (_, at) => `This is paragraph ${at} of a long report.`).join('\n\n');
    const { memory } = await lake.add(text('long.txt', content));
    let whole = '';
    let offset: number | undefined = 0;
    for (let reads = 0; offset !== undefined && reads < 100; reads++) {
      const part: Awaited<ReturnType<typeof lake.read>> = await lake.read(memory.id, { offset });
      expect(part.truncated).toBe(part.nextOffset !== undefined);
      whole += part.text;
      offset = part.nextOffset;
    }
    expect(whole.replace(/\s+/g, ' ')).toBe(content.replace(/\s+/g, ' '));
    await expect(lake.read(memory.id, { offset: 10_000_000 })).rejects.toMatchObject({ code: 'PLACE_NOT_FOUND' });
  });

  test('the total counts every match, also behind a file that fills the list of candidates', async () => {
    const lake = await newLake(null);
    const long = Array.from({ length: 400 }, () => `The crane moves cargo. ${'It is heavy work. '.repeat(45)}`).join(
      '\n\n',
    );
    await lake.add(text('long.txt', long));
    for (let at = 0; at < 15; at++)
      await lake.add(text(`short ${at}.txt`, `A crane is mentioned once in note ${at}, among many other things.`));
    const { results, total } = await lake.search({ query: 'crane', limit: 5 });
    expect(results).toHaveLength(5);
    expect(total).toBe(16);
    expect((await lake.search({ query: 'crane', limit: 20 })).results).toHaveLength(16);
    expect(await lake.search({ query: 'zeppelin' })).toMatchObject({ total: 0, results: [] });
  });

  test('boosted keywords weigh more than the other words of a question', async () => {
    const lake = await newLake(null);
    const pier = await lake.add(text('pier.txt', 'The pier was painted by the council this spring.'));
    const crane = await lake.add(text('crane.txt', 'The crane was painted by the council this spring.'));
    const first = async (boosted: string) =>
      (
        await lake.search({
          parsedQuery: {
            bm25CleanedQuery: 'pier crane',
            namedEntities: [],
            bm25Keywords: ['pier', 'crane'],
            bm25BoostKeywords: [boosted],
            rewrittenQueryForDenseModel: 'pier crane',
          },
        })
      ).results.map(({ memory, score }) => [memory.id, score] as const);
    const [best, second] = await first('crane');
    expect(best![0]).toBe(crane.memory.id);
    expect(second![1]).toBeLessThan(best![1] * 0.6);
    expect((await first('pier'))[0]![0]).toBe(pier.memory.id);
  });
});

test('a long file is found by its words before its vectors are made, and by meaning after', async () => {
  const embedder = hashEmbedder();
  const { embed } = embedder;
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let calls = 0;
  // The first batches are made while the file is read; the later ones wait.
  embedder.embed = async (texts, options) => {
    if (options?.priority === 'bulk' && ++calls > 4) await mayGoOn;
    return embed.call(embedder, texts);
  };
  const lake = await newLake(embedder);
  const long = Array.from(
    { length: 500 },
    (_, at) => `Paragraph${at} of the report. ${'It goes on and on. '.repeat(44)}`,
  );
  const added = await lake.addSoon(text('report.txt', long.join('\n\n')));
  expect(added.memory).toMatchObject({ status: 'ready', model: null });
  expect(lake.hasVectorsPending(added.memory)).toBe(true);
  const early = await lake.search({ query: 'Paragraph499' });
  expect(early.results[0]!.passages[0]!.text).toContain('Paragraph499');
  expect(early.notice).toBe('1 of 1 files are found by keywords only until their vectors are made.');
  goOn();
  const { memory } = await lake.add(text('report.txt', long.join('\n\n')));
  expect(memory).toMatchObject({ model: embedder.identity, pending: null });
  expect(lake.hasVectorsPending(memory)).toBe(false);
  expect((await lake.search({ query: 'Paragraph499' })).notice).toBeUndefined();
});

test('code in Python has the tables of a memory as frames, typed as SQL has them', async (context) => {
  const runtime = createPythonRuntime();
  const { available } = await runtime.probe();
  await runtime.close();
  if (!available) return leaveOut(context, 'python');
  const lake = await newLake(null);
  const csv =
    'day,item,price,n,id\n25/12/2024,Rope,"1,200.50",3,9007199254740993\n03/01/2025,Chain,N/A,,9007199254740995\n';
  const { memory } = await lake.add(text('stock.csv', csv));
  const executor = await lake.code.create('python');
  const run = async (code: string) => lake.code.run(executor, code, { timeoutMs: 60_000 });
  const code = `
frame = get_memory_tables("${memory.id}")["stock"]
print(list(frame.columns), [kind.kind for kind in frame.dtypes])
print(frame["price"].max(), frame["n"].sum(), frame["day"].max().date(), int(frame["id"].max()))
`;
  expect(await run(code)).toMatchObject({
    ok: true,
    stdout:
      "['day', 'item', 'price', 'n', 'id'] ['M', 'O', 'f', 'i', 'i']\n" + '1200.5 3 2025-01-03 9007199254740995\n',
  });
  const unknown = await run('get_memory_tables("ds-unknown")');
  expect(unknown.error?.message).toContain('ds-unknown');
  expect(unknown.error?.message).not.toContain('tables:');
});

test('a table of a document is queried like a sheet', async () => {
  const lake = await newLake(null);
  const row = (cells: string[], tag = 'td') => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const table = `<table>${row(['port', 'fee'], 'th')}${row(['Aveiro', '1,200 €'])}${row(['Faro', '30 €'])}</table>`;
  const page = `<html><body><h1>Ports</h1><p>The fees of the year are in the table below.</p>${table}</body></html>`;
  const { memory } = await lake.add(text('ports.html', page));
  const { tables } = await lake.queryTables('SELECT 1', { limit: 1 });
  expect(tables).toMatchObject([
    {
      table: 'ports_table_1',
      memoryId: memory.id,
      rows: 2,
      columns: [{ name: 'port' }, { name: 'fee', type: 'integer', unit: '€' }],
    },
  ]);
  const { rows } = await lake.queryTables('SELECT SUM(fee), MAX(_row) FROM ports_table_1', { limit: 1 });
  expect(rows).toEqual([[1230, 3]]);
});

test('an aggregate says that rows which look like totals are in it, and that a text was summed', async () => {
  const lake = await newLake(null);
  await lake.add(text('sales.csv', 'Region,Q1,Time\nNorth,"1,000",1:30\nSouth,500,12:45\nTotal,"1,500",14:15\n'));
  const query = async (sql: string) => (await lake.queryTables(sql, { limit: 10 })).notice;
  expect(await query('SELECT SUM(Q1) FROM sales')).toBe(
    'sales has a row that looks like a total ("Region" is "Total"): aggregates include it unless WHERE leaves it out.',
  );
  expect(await query("SELECT SUM(Q1) FROM sales WHERE Region <> 'Total'")).toBeUndefined();
  expect(await query('SELECT Q1 FROM sales')).toBeUndefined();
  expect(await query("SELECT SUM(Time) FROM sales WHERE Region <> 'Total'")).toContain('"Time" of sales is text');
});

test('totals are told whatever the table is called, and without a label too', async () => {
  const lake = await newLake(null);
  await lake.add(text('totals.csv', 'Region,Q1\nNorth,100\nSouth,50\nTotal,150\n'));
  await lake.add(text('plain.csv', 'Region,Q1\nNorth,100\nSouth,50\n,150\n'));
  await lake.add(text('gaps.csv', 'Region,Q1\nNorth,100\nSouth,50\n,7\n'));
  const query = async (sql: string) => (await lake.queryTables(sql, { limit: 10 })).notice;
  expect(await query('SELECT SUM(Q1) FROM totals')).toContain('a row that looks like a total ("Region" is "Total")');
  expect(await query('SELECT SUM(Q1) FROM plain')).toContain('a row that looks like a total ("Region" is blank)');
  expect(await query('SELECT SUM(Q1) FROM plain WHERE Region IS NOT NULL')).toBeUndefined();
  expect(await query('SELECT SUM(Q1) FROM gaps')).toBeUndefined();
});

test('a column of a CSV file is read in one way: marks of thousands, long ids, booleans', async () => {
  const lake = await newLake(null);
  await lake.add(text('rates.csv', 'id;v;w\n="007";1.234;1,5\n="008";2.500;2,5\n="009";3.100;1,25\n'));
  await lake.add(text('marks.csv', 'id;v;w\n12345678901234567;1.234;1,5\n12345678901234568;2.500;2,5\n'));
  await lake.add(text('flags.csv', 'id,ok\n1,true\n2,FALSE\n'));
  const query = (sql: string) => lake.queryTables(sql, { limit: 10 });
  expect((await query('SELECT id, v FROM rates')).rows).toEqual([
    ['007', 1234],
    ['008', 2500],
    ['009', 3100],
  ]);
  expect((await query('SELECT SUM(v), COUNT(DISTINCT id) FROM marks')).rows).toEqual([[3734, 2]]);
  expect((await query('SELECT COUNT(*) FROM flags WHERE ok')).rows).toEqual([[1]]);
  expect((await query("SELECT COUNT(*) FROM flags WHERE ok = 'true'")).notice).toContain(
    'compare it with TRUE or FALSE',
  );
});

test('formulas that were never computed are no zeros, and a query over them says so', async () => {
  const lake = await newLake(null);
  const row = (number: number) =>
    `<row r="${number}"><c r="A${number}"><v>2</v></c><c r="B${number}"><f>A${number}*2</f><v></v></c></row>`;
  const header =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>twice</t></is></c></row>';
  await lake.add(uploadedFile('orders.xlsx', xlsx({ S: header + row(2) + row(3) })));
  const { rows, notice } = await lake.queryTables('SELECT twice, SUM(a) FROM orders', { limit: 10 });
  expect(rows).toEqual([['=A2*2', 4]]);
  expect(notice).toContain('formulas whose values were not saved');
});
