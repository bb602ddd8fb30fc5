import { isObject, type Json, parsedResult } from '@atoll-mcp/core';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { connectAskable } from './clients.ts';
import { legacyServer, startAggregator } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const BUILTIN = { 'tensor-directory': {}, 'msty-admin': {}, 'cortex-embeddings': {}, memorylake: {} };

const all = (more: object = {}) => startAggregator({ builtin: true, servers: BUILTIN, ...more });

async function listed(app: Aggregator, path?: string): Promise<Json[]> {
  const { signal } = new AbortController();
  const context = { era: 'modern', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {} };
  const answer = await app.handle('tools/list', {}, { ...context, ...(path && { path }) } as never);
  return parsedResult(answer).tools as Json[];
}

async function described(app: Aggregator, wanted: string[]): Promise<Json[]> {
  const { client } = await connectAskable(app, 'modern');
  const tools: Json[] = [];
  for (let at = 0; at < wanted.length; at += 20) {
    const name = wanted.slice(at, at + 20);
    const { structuredContent } = await client.callTool({ name: 'describe_tool', arguments: { name } });
    tools.push(...(structuredContent as { tools: Json[] }).tools);
  }
  return tools;
}

const names = (tools: Json[]) => tools.map(({ name }) => String(name));

/** About how many tokens a model would spend on it. */
const tokens = (tools: unknown) => JSON.stringify({ tools }).length / 4;

/** Path and description of every described field. */
function descriptions(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => descriptions(item, path));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'description' && typeof item === 'string' ? [item] : descriptions(item, `${path}/${key}`),
  );
}

const propertiesOf = (schema: unknown) => (isObject(schema) && isObject(schema.properties) ? schema.properties : {});
const fieldsOf = (schema: unknown) => Object.keys(propertiesOf(schema));
const innerFieldsOf = (schema: unknown) => Object.values(propertiesOf(schema)).flatMap(fieldsOf);

/** What the instructions of a server say once of all its answers. */
const ENVELOPE = ['success', 'data', 'message', 'timestamp'];

/** Hints as the protocol reads them: with its defaults, and without those that have no meaning for tools that only read. */
function meaningOf(hints: Json): Json {
  const { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true } = hints;
  return { readOnlyHint, openWorldHint, ...(!readOnlyHint && { destructiveHint, idempotentHint }) };
}

test('the list of all built-in tools stays light', async () => {
  const app = all({ views: { lean: { outputSchemas: false } } });
  const [usual, lean] = [await listed(app), await listed(app, 'lean')];
  expect(names(lean)).toEqual(names(usual));
  expect(tokens(usual)).toBeLessThanOrEqual(20_000);
  expect(tokens(lean)).toBeLessThanOrEqual(18_500);
});

test('no tool, no described argument and no field of an answer is missing from the light list', async () => {
  const app = all();
  const light = await listed(app);
  const full = await described(app, names(light));
  for (const [index, tool] of full.entries()) {
    const shown = light[index] as { name: string; inputSchema: Json; outputSchema: Json; annotations: Json };
    expect(shown.name).toBe(tool.name);
    expect(Object.keys((shown.inputSchema.properties as Json) ?? {})).toEqual(
      Object.keys(((tool.inputSchema as Json).properties as Json) ?? {}),
    );
    expect(new Set(descriptions(shown.inputSchema))).toEqual(new Set(descriptions(tool.inputSchema)));
    const success = (tool.outputSchema as { anyOf?: Json[] }).anyOf?.[0] ?? (tool.outputSchema as Json);
    const own = fieldsOf(success).filter((field) => !ENVELOPE.includes(field));
    expect(fieldsOf(shown.outputSchema)).toEqual(own);
    if (fieldsOf(success).length === 1) expect(innerFieldsOf(shown.outputSchema)).toEqual(innerFieldsOf(success));
    expect(meaningOf(shown.annotations)).toEqual(meaningOf(tool.annotations as Json));
  }
});

test('a name that two built-in servers have is told apart by the name of the second', async () => {
  const listing = names(await listed(all())).filter((name) => name.endsWith('list_versions'));
  expect(listing).toEqual(['list_versions', 'memorylake_list_versions']);
});

test('every answer, success or failure, fits the schema in the list', async () => {
  const app = all();
  const { client } = await connectAskable(app, 'modern');
  const validator = new AjvJsonSchemaValidator();
  const calls: [string, Json][] = [
    [
      'upload_tensor',
      {
        name: 'a',
        description: 'b',
        tensor_data: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ['upload_tensor', { name: 'a' }],
    ['get_tensor', { name_or_uuid: 'a' }],
    ['get_tensor', { name_or_uuid: 'none' }],
    ['describe_tensor', { name_or_uuid: 'a' }],
    ['list_tensors', {}],
    ['list_tensors', { limit: -1 }],
    ['delete_tensor', { name_or_uuid: 'none' }],
    ['detect_msty_installation', {}],
    ['list_personas', {}],
    ['embedding_generate', { text: '' }],
    ['add_memory', { name: 'a.csv', text: 'x,y\n1,2\n' }],
    ['list_memories', {}],
    ['query_memory_tables', { sql: 'SELECT 1' }],
    ['query_memory_tables', { sql: 'nonsense' }],
    ['atoll_status', {}],
  ];
  const tools = new Map((await listed(app)).map((tool) => [String(tool.name), tool]));
  let checked = 0;
  for (const [name, args] of calls) {
    const { structuredContent } = await client.callTool({ name, arguments: args });
    const schema = tools.get(name)?.outputSchema;
    if (structuredContent === undefined || schema === undefined) continue;
    expect(validator.getValidator(schema as never)(structuredContent), name).toMatchObject({ valid: true });
    checked++;
  }
  expect(checked).toBeGreaterThan(10);
});

test("other servers' definitions are listed as they are, without their answers only where a view says so", async () => {
  const app = startAggregator({ mcpServers: { other: legacyServer() }, views: { lean: { outputSchemas: false } } });
  await expect.poll(() => app.status().every(({ state }) => state === 'up'), { timeout: 15_000 }).toBe(true);
  const own = app.supervisors[0]?.lists.tools.map((tool) => ({
    ...tool,
    name: `other_${tool.name}`.replace(/[./]/g, '_'),
  }));
  const foreign = (tools: Json[]) => tools.filter(({ name }) => String(name).startsWith('other_'));
  expect(foreign(await listed(app))).toEqual(own);
  expect(foreign(await listed(app, 'lean')).every((tool) => !('outputSchema' in tool))).toBe(true);
});

test('the configuration replaces title, description and annotations of a tool', async () => {
  const override = { echo: { description: 'Repeats a text.', annotations: { readOnlyHint: true } } };
  const app = startAggregator({ mcpServers: { other: legacyServer({}, { override }) } });
  await expect.poll(() => app.status().every(({ state }) => state === 'up'), { timeout: 15_000 }).toBe(true);
  const tools = await listed(app);
  const own = app.supervisors[0]?.lists.tools.find(({ name }) => name === 'echo');
  expect(tools.find(({ name }) => name === 'other_echo')).toEqual({
    ...own,
    name: 'other_echo',
    description: 'Repeats a text.',
    annotations: { ...(own?.annotations as object), readOnlyHint: true },
  });
});
