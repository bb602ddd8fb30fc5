import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { loadConfig } from '@atoll-mcp/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configDefinition, contract } from '../src/index.ts';
import { type Connection, connect } from './fixtures/client.ts';
import { callsOfEveryTool } from './fixtures/every-tool.ts';
import { hang, json, modelService, whole } from './fixtures/model-service.ts';
import { openWritable } from './fixtures/sqlite.ts';
import { dataFolder, emptyHome, SECRETS, sharedStorage, studioHome } from './fixtures/studio.ts';

/** The API reference of Msty Admin 6.5.0, sentence by sentence, on a running server. The numbers are ours. */

const MODEL = 'llama-3.3-70b-instruct';
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ALLOWED = [
  'chats messages personas prompts mcp_tools tools knowledge_stacks models settings conversations users',
  'attachments embeddings tags folders providers chat_sessions chat_messages prompt_library',
].flatMap((names) => names.split(' '));
const TAGS = 'fast quality coding creative reasoning embedding vision long_context large medium small general'.split(
  ' ',
);

async function running(service: Parameters<typeof modelService>[0] = {}) {
  const { home, path } = studioHome();
  mkdirSync(join(home, '.config', 'Claude'), { recursive: true });
  const claude = { mcpServers: { memory: { command: 'npx', args: [], env: { MEMORY_TOKEN: 'claude-secret' } } } };
  writeFileSync(join(home, '.config', 'Claude', 'claude_desktop_config.json'), JSON.stringify(claude));
  const local = await modelService({ models: [MODEL], chat: whole("Here's my answer..."), ...service });
  return { home, path, local, ...(await connect({ home, aiPort: local.port, nexusPort: local.port })) };
}

const withoutMsty = () => connect({ home: emptyHome() });

const parameters = (tool: string) => {
  const shape = contract.tools.find(({ name }) => name === tool)?.input.shape ?? {};
  return Object.keys(shape);
};

describe('response formats', () => {
  test('1–5: successes are {success: true, data, message?, timestamp}', async () => {
    const { call } = await running();
    for (const [tool, args] of Object.entries(callsOfEveryTool(MODEL))) {
      const body = await call(tool, args);
      expect(body, tool).toEqual({
        success: true,
        data: expect.any(Object),
        message: 'Operation completed successfully',
        timestamp: expect.stringMatching(STAMP),
      });
    }
  });

  test('6–11: errors are {success: false, error: {code, message, suggestion?}, timestamp}', async () => {
    const { call } = await withoutMsty();
    expect(await call('read_msty_database', { query_type: 'stats' })).toEqual({
      success: false,
      error: {
        code: 'DATABASE_NOT_FOUND',
        message: 'Msty database not found at expected location',
        suggestion: 'Run detect_msty_installation first to verify paths',
      },
      timestamp: expect.stringMatching(STAMP),
    });
  });
});

describe('error codes', () => {
  const code = async ({ call }: Connection, tool: string, args: Record<string, unknown> = {}) =>
    (await call(tool, args)).error.code;

  test('12: DATABASE_NOT_FOUND, when Msty is not installed or the path is wrong', async () => {
    expect(await code(await withoutMsty(), 'list_personas')).toBe('DATABASE_NOT_FOUND');
    const wrongPath = await connect({ home: studioHome().home, databasePath: '/nowhere/msty.db' });
    expect(await code(wrongPath, 'list_personas')).toBe('DATABASE_NOT_FOUND');
  });

  test('13: DATABASE_CONNECTION_ERROR, when the file is corrupt', async () => {
    const { home, path } = studioHome();
    writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(9000, 0xa5)]));
    expect(await code(await connect({ home }), 'list_personas')).toBe('DATABASE_CONNECTION_ERROR');
  });

  test('14: QUERY_ERROR, when a table is missing', async () => {
    expect(await code(await running(), 'read_msty_database', { query_type: 'custom', table_name: 'users' })).toBe(
      'QUERY_ERROR',
    );
  });

  test('15: INVALID_TABLE, at an injection or a typo', async () => {
    const connection = await running();
    for (const table_name of ['chats; DROP TABLE chats', 'chatz', '"chats"', 'sqlite_master']) {
      expect(await code(connection, 'read_msty_database', { query_type: 'custom', table_name })).toBe('INVALID_TABLE');
    }
  });

  test('16: SERVICE_UNAVAILABLE, when no service runs', async () => {
    expect(await code(await withoutMsty(), 'chat_with_local_model', { message: 'Hello' })).toBe('SERVICE_UNAVAILABLE');
  });

  test('17: API_ERROR, when the service fails', async () => {
    const broken = await running({ chat: (_request, response) => json(response, { error: 'oops' }, 500) });
    expect(await code(broken, 'chat_with_local_model', { message: 'Hello' })).toBe('API_ERROR');
  });

  test('18: TIMEOUT_ERROR, when the service does not answer in time', async () => {
    const local = await modelService({ chat: hang });
    const connection = await connect({ home: emptyHome(), aiPort: local.port, timeout: 0.5 });
    expect(await code(connection, 'chat_with_local_model', { message: 'Hello' })).toBe('TIMEOUT_ERROR');
  });

  test('19: INVALID_PARAMETER, at a wrong type, an unsupported value or one out of range', async () => {
    const connection = await running();
    for (const args of [{ query_type: 5 }, { query_type: 'sql' }, { query_type: 'tools', limit: 0 }]) {
      expect(await code(connection, 'read_msty_database', args)).toBe('INVALID_PARAMETER');
    }
  });

  test('20: MISSING_PARAMETER, when a required parameter is not given', async () => {
    const connection = await running();
    for (const tool of ['read_msty_database', 'chat_with_local_model', 'find_model_by_tag', 'benchmark_model']) {
      expect(await code(connection, tool)).toBe('MISSING_PARAMETER');
    }
  });

  test('21: VALIDATION_ERROR, at a format error', async () => {
    expect(await code(await running(), 'restore_configuration', { backup_json: '{oops' })).toBe('VALIDATION_ERROR');
  });

  test('22: FILE_NOT_FOUND, when a file does not exist', async () => {
    expect(await code(await running(), 'restore_configuration', { backup_path: '~/nowhere.json' })).toBe(
      'FILE_NOT_FOUND',
    );
  });

  test('23: PERMISSION_ERROR, where writing is denied', async () => {
    const output_path = '~/.config/MstyStudio/backup.json';
    expect(await code(await running(), 'backup_configuration', { output_path })).toBe('PERMISSION_ERROR');
  });

  test('24: IO_ERROR, when a file cannot be written', async () => {
    const connection = await running();
    writeFileSync(join(connection.home, 'taken.json'), 'mine');
    expect(await code(connection, 'backup_configuration', { output_path: '~/taken.json' })).toBe('IO_ERROR');
  });

  test('25: MODEL_NOT_FOUND, at an id that no service offers', async () => {
    expect(await code(await running(), 'benchmark_model', { model_id: 'nothing' })).toBe('MODEL_NOT_FOUND');
  });

  test('26: MODEL_ERROR, when inference fails', async () => {
    expect(await code(await running({ chat: whole('') }), 'chat_with_local_model', { message: 'Hello' })).toBe(
      'MODEL_ERROR',
    );
  });
});

describe('tools', () => {
  test('27–29: detect_msty_installation takes nothing and returns what it found', async () => {
    const { call } = await running();
    expect(parameters('detect_msty_installation')).toEqual([]);
    expect((await call('detect_msty_installation')).data).toEqual({
      installed: true,
      version: null,
      is_running: expect.toSatisfy((value) => value === null || typeof value === 'boolean'),
      paths: {
        app: null,
        data: '$HOME/.config/MstyStudio',
        database: '$HOME/.config/MstyStudio/File System/000/t/00/00000000',
      },
      platform_info: { system: expect.any(String), machine: expect.any(String), is_apple_silicon: expect.any(Boolean) },
    });
  });

  test('30: the database may be SharedStorage, when it holds the tables', async () => {
    const home = emptyHome();
    const database = openWritable(sharedStorage(dataFolder(home)));
    database.exec('CREATE TABLE conversations (id INTEGER PRIMARY KEY, title TEXT)');
    database.close();
    const { call } = await connect({ home });
    expect((await call('detect_msty_installation')).data).toMatchObject({
      paths: { database: '$HOME/.config/MstyStudio/SharedStorage' },
    });
  });

  test('31–34: read_msty_database takes one of seven query types, a table and a limit', async () => {
    const { call } = await running();
    expect(parameters('read_msty_database')).toEqual(['query_type', 'table_name', 'limit']);
    for (const query_type of ['stats', 'tables', 'conversations', 'personas', 'prompts', 'tools']) {
      expect((await call('read_msty_database', { query_type })).data).toMatchObject({ query_type });
    }
    const custom = { query_type: 'custom', table_name: 'chats' };
    expect((await call('read_msty_database', custom)).data).toMatchObject({ rows: [{}, {}] });
    expect((await call('read_msty_database', { query_type: 'custom' })).error.code).toBe('MISSING_PARAMETER');
  });

  test('35: the limit is 50 rows by default', async () => {
    const { call, path } = await running();
    const database = openWritable(path);
    const insert = database.prepare('INSERT INTO promptsLibraryPrompts (id, title) VALUES (?, ?)');
    for (let index = 0; index < 60; index++) insert.run(`more-${index}`, 'x');
    database.close();
    const rows = async (args: object) =>
      (await call<{ prompts: unknown[] }>('read_msty_database', { query_type: 'prompts', ...args })).data.prompts;
    expect(await rows({})).toHaveLength(50);
    expect(await rows({ limit: 7 })).toHaveLength(7);
  });

  test('36–37: analyse_msty_health returns the state of database and services', async () => {
    const { call, local } = await running();
    expect((await call('analyse_msty_health')).data).toMatchObject({
      overall_status: 'healthy',
      database_status: { exists: true, size_mb: expect.any(Number), integrity: 'ok' },
      service_status: {
        local_ai: { available: true, port: local.port },
        mlx: { available: false, port: expect.any(Number) },
        llamacpp: { available: false, port: expect.any(Number) },
        vibe_proxy: { available: false, port: expect.any(Number) },
      },
      recommendations: [],
    });
  });

  test('38–43: chat_with_local_model has its defaults and takes the first model', async () => {
    const { call, local } = await running({ models: [MODEL, 'second'] });
    await call('chat_with_local_model', { message: 'Hello' });
    expect(local.bodies.at(-1)).toMatchObject({
      model: MODEL,
      temperature: 0.7,
      max_tokens: 2048,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    await call('chat_with_local_model', {
      message: 'Hello',
      model: 'second',
      system_prompt: 'Be brief.',
      temperature: 1,
      max_tokens: 200,
    });
    expect(local.bodies.at(-1)).toMatchObject({
      model: 'second',
      temperature: 1,
      max_tokens: 200,
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
    });
    for (const temperature of [-0.1, 1.1]) {
      expect((await call('chat_with_local_model', { message: 'Hello', temperature })).error.code).toBe(
        'INVALID_PARAMETER',
      );
    }
  });

  test('44: it returns response, model, tokens and timing', async () => {
    const { call } = await running();
    expect((await call('chat_with_local_model', { message: 'Hello' })).data).toEqual({
      response: "Here's my answer...",
      model: MODEL,
      tokens: { prompt: 45, completion: 128, total: 173 },
      timing: { total_ms: expect.any(Number), tokens_per_second: expect.any(Number) },
    });
  });

  test('45–49: find_model_by_tag knows twelve tags, sorts by speed and excludes embedding models', async () => {
    const { call } = await running({ models: [MODEL, 'llama3.2:1b', 'nomic-embed-text-137m'] });
    const ids = async (args: object) =>
      (await call<{ models: { id: string }[] }>('find_model_by_tag', { ...args })).data.models.map(({ id }) => id);
    for (const tag of TAGS) expect((await call('find_model_by_tag', { tag })).success, tag).toBe(true);
    expect((await call<{ available_tags: string[] }>('list_model_tags')).data.available_tags).toEqual(TAGS);
    expect(await ids({ tag: 'general' })).toEqual([MODEL, 'llama3.2:1b']);
    expect(await ids({ tag: 'general', prefer_fast: true })).toEqual(['llama3.2:1b', MODEL]);
    expect(await ids({ tag: 'small' })).toEqual(['llama3.2:1b']);
    expect(await ids({ tag: 'small', exclude_embedding: false })).toHaveLength(2);
    expect(await ids({ tag: 'embedding' })).toEqual(['nomic-embed-text-137m']);
    expect(await ids({ tag: 'embedding', exclude_embedding: true })).toEqual([]);
  });

  test('50–53: benchmark_model runs three times for each of three lengths', async () => {
    const { call, local } = await running();
    const { data } = await call('benchmark_model', { model_id: MODEL });
    expect(data).toMatchObject({
      model_id: MODEL,
      results: [50, 200, 500].map((prompt_length) => ({
        prompt_length,
        avg_tokens_per_sec: expect.any(Number),
        avg_latency_ms: expect.any(Number),
      })),
      overall_avg_tokens_per_sec: expect.any(Number),
    });
    expect(local.bodies).toHaveLength(9);
    await call('benchmark_model', { model_id: MODEL, num_runs: 1, prompt_lengths: [10] });
    expect(local.bodies).toHaveLength(10);
  });

  test('54–60: create_prompt_template finds the variables of the example by itself', async () => {
    const { call } = await running();
    const template =
      'Review this {{language}} code for {{focus}}:\n\n```{{language}}\n{{code}}\n```\n\nProvide specific suggestions.';
    const example = { name: 'code-review', template, description: 'Code review template', category: 'coding' };
    expect((await call('create_prompt_template', example)).data).toMatchObject({
      ...example,
      variables: ['language', 'focus', 'code'],
      preferred_model: null,
    });
    expect((await call('create_prompt_template', { name: 'x', template: 'y' })).data).toMatchObject({
      category: 'general',
      description: '',
    });
    for (const category of ['general', 'coding', 'writing', 'analysis', 'creative']) {
      expect((await call('create_prompt_template', { name: 'x', template: 'y', category })).success).toBe(true);
    }
    expect((await call('create_prompt_template', { name: 'x', template: 'y', category: 'z' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await call<{ count: number }>('list_prompt_templates')).data.count).toBe(2);
  });

  test('61–63: run_prompt_template fills it in, with the preferred model or another', async () => {
    const { call } = await running({ models: [MODEL, 'second', 'third'] });
    await call('create_prompt_template', { name: 'x', template: 'Greet {{who}}', preferred_model: 'second' });
    const run = async (more: object) =>
      (await call('run_prompt_template', { template_name: 'x', variables: { who: 'Ada' }, ...more })).data;
    expect(await run({})).toMatchObject({ prompt: 'Greet Ada', response: "Here's my answer...", model: 'second' });
    expect(await run({ model: 'third' })).toMatchObject({ model: 'third' });
    expect((await call('run_prompt_template', { template_name: 'x', variables: {} })).error).toMatchObject({
      code: 'MISSING_PARAMETER',
      message: expect.stringContaining('who'),
    });
  });
});

describe('security', () => {
  test('64: only tables on the list can be queried', async () => {
    const { call } = await running();
    const code = async (table_name: string) =>
      (await call('read_msty_database', { query_type: 'custom', table_name })).error?.code;
    for (const table of ALLOWED) expect(await code(table), table).not.toBe('INVALID_TABLE');
    // They are there, but only under their logical names.
    for (const table of ['conversationTexts', 'languageModelsProviders', 'workspaces']) {
      expect(await code(table), table).toBe('INVALID_TABLE');
    }
  });

  test('65: what users write is a parameter, never SQL', async () => {
    const { call } = await running();
    const { data } = await call('search_conversations', { query: "' OR 1=1 --" });
    expect(data).toMatchObject({ matches: [] });
    expect((await call('get_studio_entity', { entity: 'tools', entity_id: "t1' OR '1'='1" })).error.code).toBe(
      'INVALID_PARAMETER',
    );
  });

  test('66: the database is opened for reading only', async () => {
    const { call, home, path } = await running();
    const before = readFileSync(path);
    for (const [tool, args] of Object.entries(callsOfEveryTool(MODEL))) await call(tool, args);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(path, '..'))).toEqual(['00000000']);
    expect(readdirSync(dataFolder(home)).sort()).toEqual(['File System', 'SharedStorage']);
  });

  test('67: a table name is checked before any query', async () => {
    const { call } = await withoutMsty();
    const answer = await call('read_msty_database', { query_type: 'custom', table_name: 'sqlite_master' });
    expect(answer.error.code).toBe('INVALID_TABLE');
  });

  test('68–69: keys are never returned, by no tool', async () => {
    const { call } = await running();
    for (const [tool, args] of Object.entries(callsOfEveryTool(MODEL))) {
      const text = JSON.stringify(await call(tool, args));
      for (const secret of [...SECRETS, 'claude-secret']) expect(text, tool).not.toContain(secret);
    }
    const { data } = await call('get_model_providers');
    expect(data).toMatchObject({ remote_providers: [{ name: 'OpenAI', extras: { apiKey: '[redacted]' } }] });
  });

  test('70: the environment configures it', () => {
    const env = {
      MSTY_AI_PORT: '1001',
      MSTY_MLX_PORT: '1002',
      MSTY_LLAMACPP_PORT: '1003',
      MSTY_VIBE_PORT: '1004',
      MSTY_TIMEOUT: '5',
      MSTY_DATABASE_PATH: '~/msty.db',
    };
    expect(loadConfig(configDefinition, { env }).config).toMatchObject({
      aiPort: 1001,
      mlxPort: 1002,
      llamacppPort: 1003,
      vibePort: 1004,
      timeout: 5,
      databasePath: '~/msty.db',
    });
  });

  test('71–73: every request goes to 127.0.0.1, none to another host', async () => {
    const hosts = new Set<string>();
    const note = (message: unknown) => hosts.add((message as { request: ClientRequest }).request.host);
    subscribe('http.client.request.start', note);
    onTestFinished(() => void unsubscribe('http.client.request.start', note));
    const { call } = await running();
    for (const [tool, args] of Object.entries(callsOfEveryTool(MODEL))) await call(tool, args);
    expect([...hosts]).toEqual(['127.0.0.1']);
    for (const endpoint of ['http://example.com/v1/models', '//example.com/', '@example.com/']) {
      expect((await call('query_local_ai_service', { endpoint })).error.code).toBe('INVALID_PARAMETER');
    }
  });

  test('74: a service is asked whether it is there before it is given work', async () => {
    const { call, local } = await running();
    await call('chat_with_local_model', { message: 'Hello' });
    const chat = local.requests.indexOf('POST /v1/chat/completions');
    expect(local.requests.indexOf('GET /v1/models')).toBeGreaterThanOrEqual(0);
    expect(local.requests.indexOf('GET /v1/models')).toBeLessThan(chat);
  });

  test('75: the home folder is shown as $HOME', async () => {
    const { call, home } = await running();
    for (const [tool, args] of Object.entries(callsOfEveryTool(MODEL))) {
      expect(JSON.stringify(await call(tool, args)), tool).not.toContain(home);
    }
  });

  test('76: ~ and $HOME are expanded, and nothing else', async () => {
    const { call, home } = await running();
    const write = (output_path: string) => call('generate_persona', { name: 'x', output_path });
    expect((await write('~/a.json')).data).toMatchObject({ output_path: '$HOME/a.json' });
    expect((await write('$HOME/b.json')).data).toMatchObject({ output_path: '$HOME/b.json' });
    expect(readdirSync(home)).toEqual(expect.arrayContaining(['a.json', 'b.json']));
  });

  test('77: no shell reads a path', async () => {
    const { call, home } = await running();
    const output_path = `~/$(touch hacked);\`touch hacked\`.json`;
    expect((await call('generate_persona', { name: 'x', output_path })).success).toBe(true);
    expect(existsSync(join(home, 'hacked'))).toBe(false);
    expect(readdirSync(home)).toContain('$(touch hacked);`touch hacked`.json');
  });
});

describe('rate limiting and versioning', () => {
  test('78: there is no rate limit', async () => {
    const { call } = await withoutMsty();
    const answers = await Promise.all(Array.from({ length: 300 }, () => call('get_cache_stats')));
    expect(answers.every(({ success }) => success)).toBe(true);
  });

  test('79: answers are cached, and the cache can be looked at and cleared', async () => {
    const { call, local } = await running();
    await call('list_available_models');
    const asked = local.requests.length;
    await call('list_available_models');
    expect(local.requests).toHaveLength(asked);
    expect((await call('get_cache_stats')).data).toEqual({ hits: 1, misses: 1, total_entries: 1 });
    expect((await call('clear_cache')).data).toMatchObject({ cleared: 1, total_entries: 0 });
    await call('list_available_models');
    expect(local.requests.length).toBeGreaterThan(asked);
  });

  test('80: the version of the API is 6.5.0', async () => {
    const { call } = await running();
    expect((await call('get_server_status')).data).toMatchObject({
      server: { name: 'msty-admin', version: contract.version, api_version: '6.5.0' },
    });
  });
});
