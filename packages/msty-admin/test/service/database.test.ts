import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../fixtures/client.ts';
import { openWritable } from '../fixtures/sqlite.ts';
import {
  dataFolder,
  emptyHome,
  legacyHome,
  SECRETS,
  sharedStorage,
  studioHome,
  studioPath,
} from '../fixtures/studio.ts';

const ALLOWED = [
  'chats messages personas prompts mcp_tools tools knowledge_stacks models settings conversations users',
  'attachments embeddings tags folders providers chat_sessions chat_messages prompt_library',
].flatMap((names) => names.split(' '));

describe('read_msty_database', () => {
  test('counts what Studio holds', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call('read_msty_database', { query_type: 'stats' });
    expect(data).toMatchObject({
      query_type: 'stats',
      schema: 'drizzle',
      stale_possible: false,
      total_conversations: 2,
      total_messages: 3,
      total_personas: 1,
      total_prompts: 1,
      total_tools: 1,
      total_knowledge_stacks: 1,
    });
  });

  test('counts null where there is no such table', async () => {
    const { call } = await connect({ home: legacyHome().home });
    expect((await call('read_msty_database', { query_type: 'stats' })).data).toMatchObject({
      total_conversations: 2,
      total_messages: 2,
      total_personas: null,
      total_prompts: 1,
      total_tools: null,
      total_knowledge_stacks: null,
    });
    expect((await call('get_model_providers')).data).toMatchObject({ remote_providers: null, database_read: true });
    expect((await call('backup_configuration')).data).toMatchObject({
      counts: { personas: null, prompts: 1, tools: null, templates: 0 },
      backup: { personas: null, tools: null },
    });
  });

  test('lists the tables with their rows and the names they are asked for by', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ tables: { name: string }[] }>('read_msty_database', { query_type: 'tables' });
    expect(data.tables).toContainEqual({
      name: 'conversationTexts',
      row_count: 2,
      asked_for_as: ['chats', 'conversations', 'chat_sessions'],
    });
  });

  test.each(['conversations', 'personas', 'prompts', 'tools'])('shows %s under their own name', async (query_type) => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<Record<string, unknown[]>>('read_msty_database', { query_type });
    expect(data[query_type]?.length).toBeGreaterThan(0);
  });

  test.each([
    ['numbers', ''],
    ['does not number', 'WITHOUT ROWID'],
  ])('shows the newest rows first, as many as asked for, of a table that SQLite %s', async (_does, kind) => {
    const { home, path } = studioHome();
    const database = openWritable(path);
    database.exec(`DROP TABLE promptsLibraryPrompts;
      CREATE TABLE promptsLibraryPrompts (id TEXT PRIMARY KEY, title TEXT, createdAt) ${kind}`);
    const insert = database.prepare('INSERT INTO promptsLibraryPrompts VALUES (?, ?, ?)');
    // Times in the spellings that are out there, and rows without one.
    const times = { b: 1_700_000_002, d: 1_700_000_004_000, a: '2023-11-14 22:13:21', c: '1700000003', none: null };
    for (const [title, time] of Object.entries(times)) insert.run(`id-${title}`, title, time);
    database.close();
    const { call } = await connect({ home });
    const titles = async (limit: number) => {
      const { data } = await call<{ prompts: { title: string }[] }>('read_msty_database', {
        query_type: 'prompts',
        limit,
      });
      return data.prompts.map(({ title }) => title);
    };
    expect(await titles(3)).toEqual(['d', 'c', 'b']);
    expect(await titles(10)).toEqual(['d', 'c', 'b', 'a', 'none']);
  });

  test('neither lists nor reads a virtual table, whatever its name', async () => {
    const { home, path } = studioHome();
    const database = openWritable(path);
    database.exec(`CREATE VIRTUAL TABLE settings USING fts5(content); INSERT INTO settings VALUES ('searchable')`);
    database.close();
    const { call } = await connect({ home });
    const { data } = await call<{ tables: { name: string }[] }>('read_msty_database', { query_type: 'tables' });
    expect(data.tables.map(({ name }) => name)).not.toContain('settings');
    const answer = await call('read_msty_database', { query_type: 'custom', table_name: 'settings' });
    expect(answer).toMatchObject({ success: false, error: { code: 'QUERY_ERROR' } });
  });

  test.each([
    ['chats', 'Bread'],
    ['chat_sessions', 'Bread'],
    ['messages', 'rye bread'],
    ['chat_messages', 'rye bread'],
    ['prompt_library', 'Summarise'],
    ['mcp_tools', 'files'],
    ['knowledge_stacks', 'Recipes'],
    ['providers', 'OpenAI'],
    ['attachments', 'photo'],
  ])('finds the logical table %s in the schema of Studio', async (table_name, text) => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call('read_msty_database', { query_type: 'custom', table_name });
    expect(JSON.stringify(data.rows)).toContain(text);
  });

  test.each(ALLOWED)('answers for the allowed name %s with rows or with its absence', async (table_name) => {
    const { call } = await connect({ home: studioHome().home });
    const answer = await call('read_msty_database', { query_type: 'custom', table_name });
    expect(answer.success ? 'rows' : answer.error.code).toMatch(/^(rows|QUERY_ERROR)$/);
  });

  test('finds the same names in the schema of Msty 1', async () => {
    const { call } = await connect({ home: legacyHome().home });
    const { data } = await call('read_msty_database', { query_type: 'conversations' });
    expect(data).toMatchObject({ schema: 'legacy', conversations: [{ title: '100% sure' }, { title: 'Old chat' }] });
    const settings = await call('read_msty_database', { query_type: 'custom', table_name: 'settings' });
    expect(JSON.stringify(settings.data)).toContain('[redacted]');
  });

  test.each([
    'sqlite_master',
    'conversationTexts',
    '__drizzle_migrations',
    'chats; DROP TABLE chats',
    "chats' OR 1=1 --",
    'chats"',
    'CHATS',
    '',
    '../etc/passwd',
    'languageModelsProviders',
  ])('refuses the table %j with the code clients switch on', async (table_name) => {
    const { call } = await connect({ home: studioHome().home });
    const answer = await call('read_msty_database', { query_type: 'custom', table_name });
    expect(answer.error).toMatchObject({ code: 'INVALID_TABLE', suggestion: expect.stringContaining('chats') });
  });

  test('checks a table before it looks for any database', async () => {
    const { call } = await connect({ home: emptyHome() });
    const answer = await call('read_msty_database', { query_type: 'custom', table_name: 'nope' });
    expect(answer.error.code).toBe('INVALID_TABLE');
  });

  test.each([
    [{}, 'MISSING_PARAMETER'],
    [{ query_type: 'custom' }, 'MISSING_PARAMETER'],
    [{ query_type: 'everything' }, 'INVALID_PARAMETER'],
    [{ query_type: 7 }, 'INVALID_PARAMETER'],
    [{ query_type: null }, 'INVALID_PARAMETER'],
    [{ query_type: 'stats', limit: 0 }, 'INVALID_PARAMETER'],
    [{ query_type: 'stats', limit: 1.5 }, 'INVALID_PARAMETER'],
    [{ query_type: 'stats', limit: '50' }, 'INVALID_PARAMETER'],
    [{ query_type: 'stats', limit: 1e9 }, 'INVALID_PARAMETER'],
  ])('answers %j with %s', async (args, code) => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('read_msty_database', args)).error.code).toBe(code);
  });

  test('takes null for a parameter that is left out', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('read_msty_database', { query_type: 'stats', table_name: null, limit: null })).success).toBe(
      true,
    );
  });

  test('obeys the limit', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ rows: unknown[] }>('read_msty_database', {
      query_type: 'custom',
      table_name: 'messages',
      limit: 2,
    });
    expect(data.rows).toHaveLength(2);
    expect(data).toMatchObject({ row_count: 2, total_rows: 3 });
  });

  test('carries numbers that JavaScript cannot hold, and bytes, without harm', async () => {
    const { home, path } = studioHome();
    const database = openWritable(path);
    database.exec("INSERT INTO attachments VALUES ('big', 'n', 't', x'00ff', 9007199254740993)");
    database.close();
    const { call } = await connect({ home });
    const { data } = await call<{ rows: unknown[] }>('read_msty_database', {
      query_type: 'custom',
      table_name: 'attachments',
    });
    expect(data.rows).toContainEqual({
      id: 'big',
      name: 'n',
      type: 't',
      data: { blob_bytes: 2 },
      createdAt: '9007199254740993',
    });
  });
});

describe('secrets', () => {
  const reads: [string, Record<string, unknown>][] = [
    ...['conversations', 'personas', 'prompts', 'tools'].map((query_type): [string, Record<string, unknown>] => [
      'read_msty_database',
      { query_type },
    ]),
    ...ALLOWED.map((table_name): [string, Record<string, unknown>] => [
      'read_msty_database',
      { query_type: 'custom', table_name },
    ]),
    ['list_configured_tools', {}],
    ['get_model_providers', {}],
    ['list_personas', {}],
    ['list_knowledge_stacks', {}],
    ['get_studio_entity', { entity: 'personas', entity_id: 'p1' }],
    ['get_studio_entity', { entity: 'providers', entity_id: 'lp1' }],
    ['get_studio_entity', { entity: 'tools', entity_id: 't1' }],
    ['export_tool_config', { source: 'msty' }],
    ['export_conversations', {}],
    ['export_conversations', { output_format: 'markdown' }],
    ['export_conversations', { output_format: 'csv' }],
    ['search_conversations', { query: 'key' }],
    ['backup_configuration', {}],
  ];

  test.each(reads)('are in no answer of %s %j', async (tool, args) => {
    for (const { home } of [studioHome(), legacyHome()]) {
      const { call } = await connect({ home });
      const text = JSON.stringify(await call(tool, args));
      for (const secret of SECRETS) expect(text).not.toContain(secret);
    }
  });

  test('leave the rest of a JSON column as it was', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ item: Record<string, unknown> }>('get_studio_entity', {
      entity: 'personas',
      entity_id: 'p1',
    });
    expect(data.item).toMatchObject({
      partialModelInfo: { temperature: 1.2, maxTokens: 4096 },
      extras: { auth: { apiKey: '[redacted]' } },
    });
  });
});

describe('a database that is not as it should be', () => {
  const read = async (home: string, databasePath?: string) => {
    const { call } = await connect({ home, ...(databasePath && { databasePath }) });
    return (await call('read_msty_database', { query_type: 'stats' })).error;
  };

  test('is not found where there is none', async () => {
    expect(await read(emptyHome())).toEqual({
      code: 'DATABASE_NOT_FOUND',
      message: 'Msty database not found at expected location',
      suggestion: 'Run detect_msty_installation first to verify paths',
    });
  });

  test('is SharedStorage only where that holds the allowed tables, and then last', async () => {
    const home = emptyHome();
    const path = sharedStorage(dataFolder(home));
    const database = openWritable(path);
    database.exec(
      "CREATE TABLE chats (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO chats VALUES (1, 'In SharedStorage')",
    );
    database.close();
    const { call } = await connect({ home });
    expect((await call('detect_msty_installation')).data).toMatchObject({
      paths: { database: '$HOME/.config/MstyStudio/SharedStorage' },
    });
    const conversations = async () => (await call('read_msty_database', { query_type: 'conversations' })).data;
    expect(await conversations()).toMatchObject({ schema: 'legacy', conversations: [{ title: 'In SharedStorage' }] });
    const legacy = openWritable(join(dataFolder(home), 'msty.db'));
    legacy.exec("CREATE TABLE chats (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO chats VALUES (1, 'In msty.db')");
    legacy.close();
    expect(await conversations()).toMatchObject({ conversations: [{ title: 'In msty.db' }] });
  });

  test("is never Chromium's SharedStorage", async () => {
    const home = emptyHome();
    const path = sharedStorage(dataFolder(home));
    expect((await read(home)).code).toBe('DATABASE_NOT_FOUND');
    expect(await read(home, path)).toMatchObject({
      code: 'DATABASE_NOT_FOUND',
      message: expect.stringContaining('Chromium'),
    });
  });

  test('is not found when the named file belongs to another program', async () => {
    const home = emptyHome();
    const path = join(home, 'other.db');
    const database = openWritable(path);
    database.exec('CREATE TABLE recipes (id INTEGER)');
    database.close();
    expect(await read(home, path)).toMatchObject({
      code: 'DATABASE_NOT_FOUND',
      message: expect.stringContaining("none of Msty's tables"),
      suggestion: expect.stringContaining('MSTY_DATABASE_PATH'),
    });
  });

  test('is a connection error when its pages are damaged', async () => {
    const { home, path } = studioHome();
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xa5)]));
    expect(await read(home)).toMatchObject({ code: 'DATABASE_CONNECTION_ERROR', suggestion: expect.any(String) });
  });

  test('is a connection error when it was cut short', async () => {
    const { home, path } = studioHome();
    truncateSync(path, 2000);
    expect((await read(home)).code).toBe('DATABASE_CONNECTION_ERROR');
  });

  test('is a connection error when the named file is no database', async () => {
    const home = emptyHome();
    const path = join(home, 'notes.txt');
    writeFileSync(path, 'not a database, but long enough to look at');
    expect((await read(home, path)).code).toBe('DATABASE_CONNECTION_ERROR');
    expect((await read(home, home)).code).toBe('DATABASE_CONNECTION_ERROR');
  });

  test('is looked for only where it was named, with ~ and $HOME understood', async () => {
    const { home } = studioHome();
    expect(await read(home, '~/nowhere.db')).toMatchObject({
      code: 'DATABASE_NOT_FOUND',
      message: expect.stringContaining('$HOME/nowhere.db'),
    });
    const { call } = await connect({ home: emptyHome(), databasePath: studioPath(home) });
    expect((await call('read_msty_database', { query_type: 'stats' })).success).toBe(true);
  });

  test('is read although another program holds an exclusive lock', async () => {
    const { home, path } = studioHome();
    const writer = openWritable(path);
    writer.exec("BEGIN EXCLUSIVE; INSERT INTO personas (id, name) VALUES ('p2', 'Nobody')");
    const { call } = await connect({ home });
    const { data } = await call('read_msty_database', { query_type: 'stats' });
    expect(data).toMatchObject({ total_personas: 1 });
    writer.exec('COMMIT');
    expect((await call('read_msty_database', { query_type: 'stats' })).data).toMatchObject({ total_personas: 2 });
    writer.close();
  });
});
