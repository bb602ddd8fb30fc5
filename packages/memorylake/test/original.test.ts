import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@atoll-mcp/core';
import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { type HttpServer, serveHttp } from '@atoll-mcp/server';
import { connectHttp, connectInMemory, connectStdio } from '@atoll-mcp/testing';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { leaveOut } from '../../../tooling/test/needs.mjs';
import { createMemoryLakeServer } from '../src/server.ts';
import { rows, xlsx } from './make-files.ts';
import { afterTests, cleanUp, configFor, hashEmbedder, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
afterAll(cleanUp);

type Client = Awaited<ReturnType<typeof connectInMemory>>;

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** The five tools of the original document, called as it documents them, over each transport. */
const transports: Record<string, () => Promise<{ client: Client; isHttp: boolean }>> = {
  'in memory': async () => {
    const app = createMemoryLakeServer(configFor(await newFolder()), { embedder: hashEmbedder(), log: silentLogger });
    afterTests(() => app.close());
    return { client: await connectInMemory(app), isHttp: false };
  },
  'over HTTP, before 2026': async () => ({ client: await connectHttp((await serve()).url), isHttp: true }),
  'over HTTP, since 2026': async () => ({
    client: await connectHttp((await serve()).url, { era: 'modern' }),
    isHttp: true,
  }),
  'over stdio': async () => {
    const args = [cli, '--no-embed', '--data-dir', await newFolder()];
    return { client: await connectStdio({ command: process.execPath, args }), isHttp: false };
  },
};

async function serve(...flags: string[]): Promise<HttpServer> {
  const app = createMemoryLakeServer(configFor(await newFolder(), ...flags), {
    embedder: hashEmbedder(),
    log: silentLogger,
  });
  const server = await serveHttp(app, { routes: app.routes });
  afterTests(async () => {
    await server.close();
    await app.close();
  });
  return server;
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as { text?: string }[];
  expect(isError ?? false, first?.text).toBe(false);
  expect(JSON.parse(first!.text!)).toEqual(structuredContent);
  return structuredContent as Record<string, unknown>;
}

const sales = xlsx({
  Sheet1: rows([
    ['region', 'amount'],
    ['North', 10],
    ['South', 32],
  ]),
}).toString('base64');

describe.each(Object.keys(transports))('the original document, %s', (transport) => {
  test('works from the overview to the code runner', async () => {
    const { client, isHttp } = await transports[transport]!();
    afterTests(() => client.close());
    await client.listTools();

    expect(await call(client, 'get_memorylake_metadata')).toEqual({
      result: {
        total_files: 0,
        total_excel_files: 0,
        total_pdf_files: 0,
        total_txt_files: 0,
        sample_memories: [],
        total_processing_files: 0,
        total_failed_files: 0,
      },
    });

    const added = (await call(client, 'add_memory', { name: 'sales.xlsx', base64: sales })) as {
      result: { id: string };
    };
    const { id } = added.result;
    expect(added.result).toEqual({
      id: expect.stringMatching(/^ds-/),
      name: 'sales.xlsx',
      type: 'excel_file',
      status: 'ready',
    });
    await call(client, 'add_memory', { name: 'harbour.txt', text: 'The new pier opens in May 2027.' });
    const again = await call(client, 'add_memory', { name: 'copy.xlsx', base64: sales });
    expect(again).toMatchObject({ result: { id, duplicate_of: id } });

    expect(await call(client, 'get_memorylake_metadata')).toMatchObject({
      result: {
        total_files: 2,
        total_excel_files: 1,
        total_txt_files: 1,
        sample_memories: expect.arrayContaining([
          {
            id,
            name: 'sales.xlsx',
            type: 'excel_file',
            num_chunks: 1,
            num_figures: 0,
            num_tables: 1,
            sheet_names: ['Sheet1'],
          },
        ]),
      },
    });

    const found = await call(client, 'search_memory', {
      parsed_query: {
        bm25_cleaned_query: 'pier open',
        named_entities: [],
        bm25_keywords: ['pier', 'open'],
        bm25_boost_keywords: ['pier'],
        rewritten_query_for_dense_model: 'opening date of the new pier in the harbour',
      },
    });
    expect(found).toMatchObject({
      result: {
        n: 1,
        returned: 1,
        results: [
          {
            name: 'harbour.txt',
            summary: expect.stringContaining('May 2027'),
            snippets: [{ place: { lines: [1, 1] }, chunk: 1 }],
          },
        ],
      },
    });
    expect(await call(client, 'search_memory', { query: 'South region amount', limit: 1 })).toMatchObject({
      result: { n: 1, results: [{ id, snippets: [{ place: { sheet: 'Sheet1', rows: [1, 3] } }] }] },
    });

    const fetched = await call(client, 'fetch_memory', { memory_ids: [id, 'ds-unknown'] });
    expect(fetched).toEqual({
      [id]: {
        id,
        name: 'sales.xlsx',
        source_type: 'xlsx',
        type: 'excel_file',
        status: 'ready',
        summary: expect.stringContaining('Sheet "Sheet1": 2 rows'),
        presigned_url: isHttp ? expect.stringContaining(`/memories/${id}?expires=`) : null,
        size_bytes: expect.any(Number),
        num_chunks: 1,
        num_figures: 0,
        num_tables: 1,
        sheet_names: ['Sheet1'],
      },
      'ds-unknown': { id: 'ds-unknown', status: 'not_found' },
    });

    const runner = (await call(client, 'create_memory_code_runner', { language: 'javascript' })) as {
      result: { executor_id: string };
    };
    const { executor_id } = runner.result;
    expect(executor_id).toMatch(/^executor-/);
    expect(
      await call(client, 'run_memory_code', { executor_id, code: 'globalThis.x = 2; console.log("x is", x)' }),
    ).toMatchObject({
      result: { success: true, output: 'x is 2\n', executor_id, state_preserved: true },
    });
    expect(await call(client, 'run_memory_code', { executor_id, code: 'console.log(x + 1); missing()' })).toMatchObject(
      {
        result: {
          success: false,
          output: '3\n',
          error: { kind: 'exception', message: expect.stringContaining('missing') },
        },
      },
    );
    expect(await call(client, 'close_memory_code_runner', { executor_id })).toEqual({
      result: { executor_id, closed: true },
    });

    expect(await call(client, 'query_memory_tables', { sql: 'SELECT SUM(amount) AS total FROM sales' })).toMatchObject({
      result: { columns: ['total'], rows: [[42]], n: 1, truncated: false, tables: [{ table: 'sales', memory_id: id }] },
    });
    expect(await call(client, 'read_memory', { memory_id: id, rows: '2:2' })).toEqual({
      result: { id, name: 'sales.xlsx', place: 'sheet Sheet1, row 2', text: 'North | 10', truncated: false },
    });
    expect(await call(client, 'delete_memory', { memory_ids: [id, 'ds-unknown'] })).toEqual({
      result: { deleted: [id], not_found: ['ds-unknown'] },
    });
    expect(await call(client, 'list_memories')).toMatchObject({
      result: { n: 1, memories: [{ name: 'harbour.txt', status: 'ready' }] },
    });
  });
});

describe('what surrounds the tools', () => {
  test('failures are sentences that say what would be right', async () => {
    const app = createMemoryLakeServer(configFor(await newFolder()), { embedder: null, log: silentLogger });
    afterTests(() => app.close());
    const client = await connectInMemory(app);
    const failure = async (name: string, args: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      expect(isError).toBe(true);
      return (content as { text: string }[])[0]!.text;
    };
    expect(await failure('search_memory', {})).toContain('Give "query" or "parsed_query"');
    expect(await failure('search_memory', { parsed_query: { named_entities: 'no list' } })).toContain(
      'parsed_query.named_entities',
    );
    expect(await failure('add_memory', { name: 'a.txt' })).toContain('exactly one of');
    expect(await failure('add_memory', { name: 'a.txt', base64: '%%%' })).toContain('not valid base64');
    expect(await failure('add_memory', { name: 'a.txt', path: '/etc/hostname' })).toContain('--import-root');
    expect(await failure('run_memory_code', { executor_id: 'executor-x', code: '1' })).toContain(
      'create_memory_code_runner',
    );
    expect(await failure('read_memory', { memory_id: 'ds-x' })).toContain('list_memories');
    await client.close();
  });

  test('memories are resources with completions, and prompts tell what is there', async () => {
    const app = createMemoryLakeServer(configFor(await newFolder()), { embedder: null, log: silentLogger });
    afterTests(() => app.close());
    const client = await connectInMemory(app);
    const { result } = (await call(client, 'add_memory', { name: 'harbour.txt', text: 'The pier opens in May.' })) as {
      result: { id: string };
    };
    expect((await client.listResources()).resources).toContainEqual(
      expect.objectContaining({ uri: `memory://${result.id}`, name: 'harbour.txt' }),
    );
    const { contents } = await client.readResource({ uri: `memory://${result.id}` });
    expect(JSON.stringify(contents)).toContain('The pier opens in May.');
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'memory://{id}' },
      argument: { name: 'id', value: 'harb' },
    });
    expect(completion.values).toEqual([result.id]);
    expect(JSON.stringify(await client.getPrompt({ name: 'what_is_in_here' }))).toContain('harbour.txt');
    expect(
      JSON.stringify(await client.getPrompt({ name: 'answer_from_my_files', arguments: { question: 'When?' } })),
    ).toContain('When?');
    await client.close();
  });

  test('a file that is too large is refused before it is stored, by every way in', async () => {
    const [folder, imports] = [await newFolder(), await newFolder()];
    const server = await serve('--data-dir', folder, '--max-file-mb', '1', '--import-root', imports);
    const client = await connectHttp(server.url);
    const content = 'words '.repeat(2 ** 18);
    await writeFile(join(imports, 'huge.txt'), content);
    for (const given of [{ text: content }, { path: 'huge.txt' }]) {
      expect(await client.callTool({ name: 'add_memory', arguments: { name: 'huge.txt', ...given } })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('more than 1 MB') }],
      });
    }
    const upload = await fetch(new URL('/memories?name=huge.txt', server.url), { method: 'POST', body: content });
    expect(upload.status).toBe(413);
    expect(await upload.json()).toMatchObject({ error: { message: expect.stringContaining('more than 1 MB') } });
    expect(await call(client, 'list_memories')).toMatchObject({ result: { n: 0 } });
    expect(await readdir(join(folder, 'blobs', '.drafts')).catch(() => [])).toEqual([]);
    expect(await readdir(join(folder, 'blobs', 'sha256')).catch(() => [])).toEqual([]);
    await client.close();
  });

  test('a file whose bytes are lost is a failure that says so, not a download that breaks off', async () => {
    const folder = await newFolder();
    const server = await serve('--data-dir', folder);
    const client = await connectHttp(server.url);
    const { result } = (await call(client, 'add_memory', { name: 'a.txt', text: 'The pier opens in May.' })) as {
      result: { id: string };
    };
    const fetched = (await call(client, 'fetch_memory', { memory_ids: [result.id] })) as Record<
      string,
      { presigned_url: string }
    >;
    await rm(join(folder, 'blobs'), { recursive: true });
    expect((await fetch(fetched[result.id]!.presigned_url)).status).toBe(500);
    await client.close();
  });

  test('files come and go over HTTP: uploads as a form or as they are, downloads by a link that expires', async () => {
    const server = await serve('--presigned-ttl-seconds', '900');
    const base = new URL('/', server.url);
    const form = new FormData();
    form.append('file', new Blob(['a,b\n1,2\n3,4\n']), 'table.csv');
    const uploaded = await fetch(new URL('/memories', base), { method: 'POST', body: form });
    expect(uploaded.status).toBe(201);
    const { memories } = (await uploaded.json()) as { memories: { id: string; status: string }[] };
    expect(memories).toEqual([expect.objectContaining({ name: 'table.csv', type: 'excel_file', status: 'ready' })]);
    const plain = await fetch(new URL('/memories?name=年报.txt', base), { method: 'POST', body: '营业收入' });
    expect(await plain.json()).toMatchObject({ memories: [{ name: '年报.txt', status: 'ready' }] });
    expect((await fetch(new URL('/memories', base), { method: 'POST', body: 'x' })).status).toBe(400);

    const client = await connectHttp(server.url);
    const { id } = memories[0]!;
    const fetched = (await call(client, 'fetch_memory', { memory_ids: [id] })) as Record<
      string,
      { presigned_url: string }
    >;
    const link = fetched[id]!.presigned_url;
    const download = await fetch(link);
    expect(await download.text()).toBe('a,b\n1,2\n3,4\n');
    expect(download.headers.get('content-disposition')).toContain('table.csv');
    const later = new URL(link);
    later.searchParams.set('expires', String(Number(later.searchParams.get('expires')) + 1));
    expect((await fetch(later)).status).toBe(403);
    expect((await fetch(link.replace(id, 'ds-other'))).status).toBe(403);
    expect((await fetch(link.replace(id, '%E0%A4%A'))).status).toBe(403);
    expect((await fetch(link, { method: 'HEAD' })).headers.get('content-length')).toBe('12');
    await call(client, 'delete_memory', { memory_ids: [id] });
    expect((await fetch(link)).status).toBe(404);
    await client.close();
  });
});

describe('the original document, sentence by sentence', () => {
  const rpc = (id: number, method: string, params: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });

  async function post(url: string, body: string, session?: string) {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session && { 'mcp-session-id': session }),
      },
    });
    return { response, text: await response.text() };
  }

  const initialize = rpc(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });

  test('1–5: POST with SSE answers, a session from initialize, JSON-RPC in data lines that carry the id', async () => {
    const { url } = await serve();
    const first = await post(url, initialize);
    const session = first.response.headers.get('mcp-session-id');
    expect(session).toBeTruthy();
    expect(first.response.headers.get('content-type')).toContain('text/event-stream');
    await post(url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), session!);
    const { text } = await post(
      url,
      rpc(7, 'tools/call', { name: 'get_memorylake_metadata', arguments: {} }),
      session!,
    );
    expect(text).toMatch(/^event: message$/m);
    const lines = text.split('\n').filter((line) => line.startsWith('data:') && line.includes('"id":7'));
    expect(JSON.parse(lines.at(-1)!.slice('data:'.length))).toMatchObject({
      jsonrpc: '2.0',
      id: 7,
      result: { structuredContent: { result: { total_files: 0 } } },
    });
    const foreign = await post(url, rpc(8, 'tools/list'), 'not-a-session');
    expect(foreign.response.status).toBe(404);
  });

  async function filled() {
    const { client } = await transports['in memory']!();
    const add = async (name: string, content: object) =>
      (await call(client, 'add_memory', { name, ...content })) as { result: { id: string } };
    const { result: sheet } = await add('sales.xlsx', { base64: sales });
    const { result: note } = await add('港口.txt', {
      text: 'Acme 公司 的 起重机 in the north-harbour_v2.1 was painted in May.',
    });
    return { client, sheetId: sheet.id, noteId: note.id };
  }

  test('6–9: the overview counts files by type and shows samples with ids, names, types and statistics', async () => {
    const { client, sheetId } = await filled();
    const { result } = (await call(client, 'get_memorylake_metadata')) as { result: Record<string, unknown> };
    expect(result).toMatchObject({ total_files: 2, total_excel_files: 1, total_pdf_files: 0, total_txt_files: 1 });
    expect(result.sample_memories).toContainEqual({
      id: sheetId,
      name: 'sales.xlsx',
      type: 'excel_file',
      num_chunks: 1,
      num_figures: 0,
      num_tables: 1,
      sheet_names: ['Sheet1'],
    });
  });

  const question = (text: string, more: Record<string, unknown> = {}) => ({
    parsed_query: {
      bm25_cleaned_query: text,
      named_entities: [],
      bm25_keywords: text.split(' '),
      bm25_boost_keywords: text.split(' ').slice(0, 3),
      rewritten_query_for_dense_model: text,
      ...more,
    },
  });

  test('10–12: search takes the five fields, all required, and gives id, name, summary and the total', async () => {
    const { client, noteId } = await filled();
    const { result } = (await call(client, 'search_memory', question('Acme painted'))) as {
      result: { results: unknown[] };
    };
    expect(result).toMatchObject({
      n: 1,
      results: [{ id: noteId, name: '港口.txt', summary: expect.stringContaining('Acme') }],
    });
    const { parsed_query } = question('Acme');
    for (const field of Object.keys(parsed_query)) {
      const { [field]: _left, ...rest } = parsed_query as Record<string, unknown>;
      const answer = await client.callTool({ name: 'search_memory', arguments: { parsed_query: rest } });
      expect(answer.isError, field).toBe(true);
      expect(JSON.stringify(answer.content)).toContain(field);
    }
  });

  test('13–15: technical terms with hyphens, underscores and dots are found whole, Chinese stop words change nothing', async () => {
    const { client, noteId } = await filled();
    for (const query of ['north-harbour_v2.1', '起重机的', '公司有什么起重机呢']) {
      expect(await call(client, 'search_memory', { query, limit: 1 }), query).toMatchObject({
        result: { results: [{ id: noteId }] },
      });
    }
  });

  test('16–17: fetch gives a map from id to id, name, source_type, summary and presigned_url', async () => {
    const { client, sheetId } = await filled();
    expect(await call(client, 'fetch_memory', { memory_ids: [sheetId] })).toMatchObject({
      [sheetId]: {
        id: sheetId,
        name: 'sales.xlsx',
        source_type: 'xlsx',
        summary: expect.any(String),
        presigned_url: null,
      },
    });
  });

  test('18–25: Python runs with the seven packages, without matplotlib, keeps its state and finds files by id and name', async (context) => {
    const runtime = createPythonRuntime();
    const { available } = await runtime.probe();
    await runtime.close();
    if (!available) return leaveOut(context, 'python');
    const { client, sheetId } = await filled();
    const created = (await call(client, 'create_memory_code_runner')) as { result: { executor_id: string } };
    expect(created).toEqual({ result: { executor_id: expect.stringMatching(/^executor-/) } });
    const { executor_id } = created.result;
    const run = (code: string) => call(client, 'run_memory_code', { executor_id, code, timeout_ms: 60_000 });
    const pattern = `
import pandas as pd
path = get_memory_path("${sheetId}", "sales.xlsx")
df = pd.read_excel(path, sheet_name="Sheet1")
print(df.head())
import pathlib
print(isinstance(path, pathlib.Path))`;
    expect(await run(pattern)).toMatchObject({
      result: { success: true, output: expect.stringMatching(/North[\s\S]*True\n$/) },
    });
    expect(await run('df["amount"].sum()')).toMatchObject({ result: { success: true, output: '' } });
    expect(await run('print(int(df["amount"].sum()))')).toMatchObject({ result: { output: '42\n' } });
    expect(await run('import numpy, openpyxl, xlrd, scipy, sklearn, xgboost')).toMatchObject({
      result: { success: true },
    });
    expect(await run('import matplotlib')).toMatchObject({ result: { success: false } });
  });
});
