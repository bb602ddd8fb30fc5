import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestContext } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import { contract, createMstyServer, type MstyConfig, TOOLSETS } from '../src/index.ts';
import { callsOfEveryTool, callsOfLifecycle } from './fixtures/every-tool.ts';
import { ollamaService } from './fixtures/lifecycle-services.ts';
import { closedPorts, hang, json, modelService, whole } from './fixtures/model-service.ts';
import { openWritable } from './fixtures/sqlite.ts';
import { emptyHome, studioHome, studioPath } from './fixtures/studio.ts';

const MODEL = 'llama3.2:1b';
const calls: (readonly [string, unknown])[] = [
  ...Object.entries({ ...callsOfEveryTool(MODEL), ...callsOfLifecycle(MODEL) }),
  ['export_tool_config', { source: 'msty' }],
];
const raised = new Map<string, Set<string>>(contract.tools.map(({ name }) => [name, new Set()]));

/** File permissions do not bind root, so tests cannot raise these there. */
const NEEDS_PERMISSIONS = 'PERMISSION_ERROR';

const request: RequestContext = {
  era: 'modern',
  client: { id: 'test' },
  capabilities: {},
  meta: {},
  signal: new AbortController().signal,
  notify: async () => {},
};

async function world(settings: Partial<MstyConfig>, more: readonly (readonly [string, unknown])[] = calls) {
  const [aiPort, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort, nexusPort] = await closedPorts();
  const ports = { aiPort, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort, nexusPort };
  const home = settings.home ?? emptyHome();
  const server = createMstyServer({
    toolsets: [...TOOLSETS],
    dataDir: join(home, 'data'),
    timeout: 20,
    ...ports,
    ...settings,
    home,
  });
  for (const [name, args] of more) {
    const result = await server.handle('tools/call', { name, arguments: args }, request);
    const { error } = (result as { structuredContent: { error?: { code: string } } }).structuredContent;
    if (error) raised.get(name)?.add(error.code);
  }
  await server.close();
}

function claudeConfig(home: string, text: string): void {
  mkdirSync(join(home, '.config', 'Claude'), { recursive: true });
  writeFileSync(join(home, '.config', 'Claude', 'claude_desktop_config.json'), text);
}

const failing = { routes: { 'GET /v1/models': (_: unknown, response: never) => json(response, {}, 500) } };

async function everyWorld() {
  // Arguments that are missing, or not even an object.
  await world(
    {},
    calls.flatMap(([name]) => [
      [name, 'nonsense'],
      [name, {}],
    ]),
  );
  // Neither Msty nor any service.
  await world({});
  const corrupt = studioHome().home;
  const bytes = readFileSync(studioPath(corrupt)).subarray(0, 100);
  writeFileSync(studioPath(corrupt), Buffer.concat([bytes, Buffer.alloc(9000, 0xa5)]));
  claudeConfig(corrupt, '{"mcpServers":{}}');
  await world({ home: corrupt });
  const bare = emptyHome();
  mkdirSync(join(bare, '.config', 'Msty'), { recursive: true });
  const database = openWritable(join(bare, '.config', 'Msty', 'msty.db'));
  database.exec('CREATE TABLE users (id INTEGER)');
  database.close();
  claudeConfig(bare, '{oops');
  await world({ home: bare });
  // Services that fail in every way there is.
  const broken = (await modelService(failing)).port;
  await world({ aiPort: broken, nexusPort: broken });
  const silent = await modelService({ routes: { 'GET /v1/models': hang, 'GET /api/tags': hang } });
  await world({ aiPort: silent.port, nexusPort: silent.port, timeout: 0.2 });
  const empty = await modelService({ models: [MODEL], chat: whole('', { usage: null }) });
  await world({ aiPort: empty.port });
  const failingChat = await modelService({ models: [MODEL], chat: (_request, response) => json(response, {}, 500) });
  await world({ aiPort: failingChat.port });
  const silentChat = await modelService({ models: [MODEL], chat: hang });
  await world({ aiPort: silentChat.port, timeout: 0.3 });
  const embeddings = await modelService({ models: ['nomic-embed-text'] });
  await world({ aiPort: embeddings.port });
  // A store that cannot be opened.
  const blocked = studioHome().home;
  writeFileSync(join(blocked, 'data'), 'a file, not a folder');
  claudeConfig(blocked, '{"mcpServers":{}}');
  const local = await modelService({ models: [MODEL], chat: whole('Hello to you, whoever you may be.') });
  await world({ home: blocked, aiPort: local.port });
  const damaged = emptyHome();
  mkdirSync(join(damaged, 'data'));
  writeFileSync(join(damaged, 'data', 'records.db'), 'not a database, but longer than the header of one'.repeat(100));
  await world({ home: damaged, aiPort: local.port });
  await special();
  await lifecycle();
}

/** What only certain arguments bring about. */
async function special() {
  const { home } = studioHome();
  claudeConfig(home, '{"mcpServers":{}}');
  writeFileSync(join(home, 'taken.json'), 'mine');
  writeFileSync(join(home, 'folder.json'), 'x');
  const writes: [string, object][] = [
    ['backup_configuration', {}],
    ['generate_persona', { name: 'x' }],
    ['export_tool_config', {}],
    ['sync_claude_preferences', { dry_run: false }],
  ];
  const config_json = '{"mcpServers":{"x":{"command":"y"}}}';
  await world({ home }, [
    ...writes.flatMap(([name, args]): [string, unknown][] => [
      [name, { ...args, output_path: '~/.config/MstyStudio/x.json' }],
      [name, { ...args, output_path: '~/taken.json' }],
    ]),
    ['read_msty_database', { query_type: 'custom', table_name: 'sqlite_master' }],
    ['read_msty_database', { query_type: 'custom' }],
    ['import_tool_config', { config_json: '{oops' }],
    ['import_tool_config', { config_file: '~/nowhere.json' }],
    ['import_tool_config', { config_file: '~' }],
    ['restore_configuration', { backup_json: '{oops' }],
    ['restore_configuration', { backup_path: '~/nowhere.json' }],
    ['restore_configuration', { backup_path: '~' }],
    ['identify_handoff_triggers', { pattern_type: 'x' }],
    ['query_local_ai_service', { request_body: '{oops', method: 'POST' }],
  ]);
  const local = await modelService({ models: [MODEL], chat: whole('x'.repeat(200)) });
  await world({ aiPort: local.port, nexusPort: local.port }, [
    ['query_nexus', { data: '{oops', method: 'POST' }],
    ['query_nexus', { path: '/nowhere' }],
    ['query_local_ai_service', { endpoint: '/nowhere' }],
    ['create_prompt_template', { name: 'greeting', template: 'Greet {{name}}' }],
    ['run_prompt_template', { template_name: 'greeting', variables: {} }],
    ['run_prompt_template', { template_name: 'greeting', variables: { name: 'x' }, model: 'nothing' }],
    ['recommend_model', { max_size_gb: 0.000001 }],
    ...['chat_with_local_model', 'compare_model_responses'].map(
      (name) => [name, { message: 'x', prompt: 'x', model: 'nothing', models: ['nothing'] }] as const,
    ),
    ['run_calibration_test', { model_id: 'nothing' }],
    ['get_model_details', { model_id: 'nothing' }],
    ['benchmark_model', { model_id: 'nothing' }],
  ]);
  const noRoom = emptyHome();
  mkdirSync(join(noRoom, '.config'));
  writeFileSync(join(noRoom, '.config', 'Claude'), 'a file, not a folder');
  await world({ home: noRoom }, [['import_tool_config', { config_json, dry_run: false }]]);
  const closed = emptyHome();
  const claude = join(closed, '.config', 'Claude');
  claudeConfig(closed, '{"mcpServers":{}}');
  chmodSync(claude, 0o500);
  await world({ home: closed }, [['import_tool_config', { config_json, dry_run: false }]]);
  chmodSync(claude, 0o700);
}

async function lifecycle() {
  const tools = Object.entries(callsOfLifecycle(MODEL));
  const ollama = await ollamaService({ [MODEL]: { size: 1000 }, 'huge:1t': { size: 1024 ** 5 } });
  await world({ ollamaPort: ollama.port }, [
    ...tools.map(([name, args]) => [name, 'model_id' in args ? { ...args, model_id: 'nothing' } : args] as const),
    ['unload_model', { model_id: MODEL }],
    ['set_model_keep_alive', { model_id: MODEL, minutes: 5 }],
    ['load_model', { model_id: 'huge:1t' }],
    ['delete_model', { model_id: MODEL }],
  ]);
  for (const pulls of [[{ error: 'file does not exist' }], [{ error: 'disk full' }]]) {
    const pulling = await ollamaService({}, { pulls });
    await world({ ollamaPort: pulling.port }, [['pull_model', { model_id: 'x' }]]);
  }
  const models = { data: [{ id: MODEL }] };
  const ps = { models: [{ model: MODEL }] };
  const fails = (_: unknown, response: never) => json(response, {}, 500);
  for (const act of [fails, hang]) {
    const acts = ['POST /api/generate', 'POST /api/pull', 'DELETE /api/delete'].map((route) => [route, act]);
    for (const loaded of [ps, { models: [] }]) {
      const routes = { 'GET /v1/models': models, 'GET /api/ps': loaded, ...Object.fromEntries(acts) };
      const service = await modelService({ routes });
      await world({ ollamaPort: service.port, timeout: act === hang ? 0.3 : 20 }, tools);
    }
  }
}

test('every tool raises the codes that it declares, and no others', { timeout: 240_000 }, async () => {
  await everyWorld();
  const isRoot = process.getuid?.() === 0;
  const found = Object.fromEntries([...raised].map(([name, codes]) => [name, [...codes].sort()]));
  const declared = Object.fromEntries(
    contract.tools.map(({ name, errors }) => {
      const isRaisable = (code: string) => !isRoot || code !== NEEDS_PERMISSIONS || found[name]?.includes(code);
      return [name, [...new Set(errors)].filter(isRaisable).sort()];
    }),
  );
  expect(found).toEqual(declared);
});
