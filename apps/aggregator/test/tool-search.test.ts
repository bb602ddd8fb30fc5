import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import { Catalog, type Entry, type Member } from '../src/catalog/catalog.ts';
import { NO_LISTS } from '../src/catalog/lists.ts';
import { CallPrior } from '../src/search/call-prior.ts';
import { splitSteps } from '../src/search/split-steps.ts';
import { ToolSearch } from '../src/search/tool-search.ts';
import { type EmbeddingModel, VectorCache } from '../src/search/vector-cache.ts';
import { startAggregator, tempDir } from './harness.ts';

const DESCRIPTIONS = { weather: 'Forecast of rain and sun.', mail: 'Sends a letter.', sum: 'Adds numbers.' };

const ENTRIES = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  ownName: name,
  definition: { name, description, inputSchema: { type: 'object' } },
  member: { supervisor: { key: 'one' } },
  // The search reads nothing else of a member.
})) as unknown as Entry[];

/** A model whose vectors tell which of three topics a text is about. */
function topicModel(identity = 'topics') {
  const computed: string[] = [];
  const topics = [/rain|umbrella/i, /letter|post/i, /number|arithmetic/i];
  const model: EmbeddingModel = {
    identity,
    embed: async (texts) => {
      computed.push(...texts);
      return texts.map((text) => topics.map((topic) => (topic.test(text) ? 1 : 0)));
    },
  };
  return { model, computed };
}

interface TestTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
}

/** Entries as a catalog has them: each server's tools under its prefix. */
function entriesOf(servers: Record<string, readonly TestTool[]>): Entry[] {
  return Object.entries(servers).flatMap(([key, tools]) => {
    const member = { supervisor: { key } };
    return tools.map((tool) => ({ name: `${key}_${tool.name}`, ownName: tool.name, member, definition: tool }));
    // The search reads nothing else of a member.
  }) as unknown as Entry[];
}

function byWords(servers: Record<string, readonly TestTool[]>, prior?: CallPrior) {
  const search = new ToolSearch(entriesOf(servers), { cache: cacheIn(tempDir()), log: silentLogger, prior });
  return async (request: string, limit = 5) => (await search.find(request, limit)).tools;
}

const namesOf = (tools: readonly { entry: Entry }[]) => tools.map(({ entry }) => entry.name);

test('each step of a long request gets its tools', async () => {
  const find = byWords({
    mail: ['send_mail', 'send_mail_draft', 'send_mail_later', 'send_mail_copy'].map((name) => ({ name })),
    sky: [{ name: 'forecast', description: 'Weather forecast for a city.' }],
    notes: [{ name: 'create_note', description: 'Saves a note.' }],
  });
  const request =
    'Look up the weather forecast for the city of Kiel. Then create a note of it, and finally send a mail to Anna.';
  expect(new Set(namesOf(await find(request, 3)))).toEqual(
    new Set(['sky_forecast', 'notes_create_note', 'mail_send_mail']),
  );
});

test('"does" and other stop words that are stemmed find nothing', async () => {
  const find = byWords({
    a: [{ name: 'lookup', description: 'Does a lookup, because there is one.' }, { name: 'other' }],
  });
  for (const word of ['does', 'there', 'because', 'having', '为什么']) expect(await find(word)).toEqual([]);
  expect(namesOf(await find('where does one lookup a name?'))).toEqual(['a_lookup']);
});

test('a tool that was indexed before is not read again when others join', () => {
  let readings = 0;
  const inputSchema = {
    get properties() {
      readings++;
      return { path: { type: 'string' } };
    },
  };
  const upstream = (key: string, tools: readonly object[], prefix: string) =>
    ({
      supervisor: { key, isShown: true, upstream: {}, lists: { ...NO_LISTS, tools } },
      prefix,
      rename: new Map(),
    }) as unknown as Member;
  const first = upstream('one', [{ name: 'read', inputSchema }], 'one_');
  const options = { cache: cacheIn(tempDir()), log: silentLogger };
  const searchIn = (members: readonly Member[]) => new ToolSearch(new Catalog(members, {}).tools.entries, options);
  searchIn([first]);
  const once = readings;
  expect(once).toBeGreaterThan(0);
  searchIn([first, upstream('two', [{ name: 'write' }], 'two_')]);
  expect(readings).toBe(once);
});

test.each([
  ['list files', ['list files']],
  ['Book a table for two. Then send me the address!', ['Book a table for two.', 'Then send me the address!']],
  ['查询北京明天的天气，然后发送邮件给我的同事', ['查询北京明天的天气', '发送邮件给我的同事']],
  ['Version 1.2.3 of example.com', ['Version 1.2.3 of example.com']],
])('"%s" has its steps', (request, steps) => {
  expect(splitSteps(request)).toEqual(steps);
});

test('arguments, their descriptions and enums find a tool', async () => {
  const schema = (property: object) => ({ type: 'object', properties: property });
  const find = byWords({
    a: [
      { name: 'draw', inputSchema: schema({ kind: { enum: ['heatmap', 'histogram'] } }) },
      {
        name: 'fetch',
        inputSchema: schema({ options: { properties: { passport: { description: 'Of a traveller' } } } }),
      },
    ],
  });
  expect(namesOf(await find('heatmap'))).toEqual(['a_draw']);
  expect(namesOf(await find('traveller passport'))).toEqual(['a_fetch']);
});

test("a server's name helps its tools", async () => {
  const find = byWords({
    jira: [{ name: 'create' }, { name: 'search' }],
    github: [{ name: 'create' }, { name: 'close' }],
  });
  expect(namesOf(await find('create in github', 1))).toEqual(['github_create']);
});

test('the same tool of two servers is shown once, with its alternative', async () => {
  const tool = { name: 'read_file', description: 'Reads a file from disk.' };
  const find = byWords({
    one: [tool, { name: 'read_line' }],
    two: [tool],
    three: [{ ...tool, description: 'Plays a record.' }],
  });
  const found = await find('read file');
  expect(namesOf(found)).toEqual(['one_read_file', 'three_read_file', 'one_read_line']);
  expect(found[0]?.alternatives.map(({ name }) => name)).toEqual(['two_read_file']);
});

test('Chinese words find Chinese descriptions', async () => {
  const find = byWords({
    a: [
      { name: 'x', description: '查询天气预报' },
      { name: 'y', description: '发送电子邮件' },
    ],
  });
  expect(namesOf(await find('明天的天气怎么样'))).toEqual(['a_x']);
});

test('a request in another script is compared by the multilingual model alone', async () => {
  const english: EmbeddingModel = { identity: 'en', embed: async (texts) => texts.map(() => [0, 1, 0]) };
  const { model } = topicModel('any');
  const embed: EmbeddingModel['embed'] = (texts) => model.embed(texts.map((text) => text.replace('雨伞', 'umbrella')));
  const search = new ToolSearch(ENTRIES, {
    models: async () => [english, { ...model, embed, isMultilingual: true }],
    cache: cacheIn(tempDir()),
    log: silentLogger,
    waitMs: 30_000,
  });
  expect(namesOf((await search.find('雨伞', 3)).tools)).toEqual(['weather']);
});

test('a search says how sure it is', async () => {
  const find = byWords({ a: [{ name: 'send_mail', description: 'Sends a mail.' }, { name: 'other' }] });
  expect((await find('send mail'))[0]).toMatchObject({ confidence: 'high' });
  expect((await find('mail merge of quarterly pension invoices'))[0]).toMatchObject({ confidence: 'low' });
});

test('a call that succeeded after a search ranks its tool higher, over a restart, without keeping its words', async () => {
  const file = join(tempDir(), 'prior.json');
  const servers = { north: [{ name: 'open_door' }], south: [{ name: 'open_gate' }] };
  const prior = new CallPrior(file, silentLogger);
  const find = byWords(servers, prior);
  expect(namesOf(await find('open'))[0]).toBe('north_open_door');
  prior.searched('me', 'open', [{ server: 'south', tool: 'open_gate' }]);
  prior.succeeded('somebody else', 'south', 'open_gate');
  prior.succeeded('me', 'north', 'open_door');
  expect(namesOf(await find('open'))[0]).toBe('north_open_door');
  prior.succeeded('me', 'south', 'open_gate');
  expect(namesOf(await find('open'))[0]).toBe('south_open_gate');
  await prior.save();
  expect(readFileSync(file, 'utf8')).not.toContain('"open"');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(namesOf(await byWords(servers, new CallPrior(file, silentLogger))('open'))[0]).toBe('south_open_gate');
  expect(namesOf(await byWords(servers)('open'))[0]).toBe('north_open_door');
});

test.each(['', '{', '[]', '{"a":1}', '{"a":{"b":"c"}}'])(
  'a damaged file of a prior (%#) teaches nothing',
  async (text) => {
    const file = join(tempDir(), 'prior.json');
    writeFileSync(file, text);
    expect(namesOf(await byWords({ a: [{ name: 'open' }] }, new CallPrior(file, silentLogger))('open'))).toEqual([
      'a_open',
    ]);
  },
);

test('the three tools that find and call the rest cost less than 1,000 tokens in the list', async () => {
  const app = startAggregator({ mode: 'search' });
  const { tools } = (await app.handle(
    'tools/list',
    {},
    {
      era: 'modern',
      client: { id: 'test' },
      capabilities: {},
      meta: {},
      signal: new AbortController().signal,
      notify: async () => {},
    },
  )) as { tools: { name: string }[] };
  const three = tools.filter(({ name }) => ['search_tools', 'describe_tool', 'call_tool'].includes(name));
  expect(three).toHaveLength(3);
  expect(JSON.stringify(three).length / 4).toBeLessThan(1_000);
});

const cacheIn = (folder: string) => new VectorCache(join(folder, 'aggregator', 'vectors.bin'), silentLogger);

test('what means the same is found without a common word', async () => {
  const search = new ToolSearch(ENTRIES, {
    models: async () => [topicModel().model],
    cache: cacheIn(tempDir()),
    log: silentLogger,
    waitMs: 30_000,
  });
  const { tools, usedMeaning } = await search.find('umbrella', 2);
  expect(tools.map(({ entry }) => entry.name)).toEqual(['weather']);
  expect(usedMeaning).toBe(true);
});

test('a search does not wait for a model that is not ready, and says that it used words', async () => {
  const search = new ToolSearch(ENTRIES, {
    models: () => new Promise(() => {}),
    cache: cacheIn(tempDir()),
    log: silentLogger,
    waitMs: 1,
  });
  expect(await search.find('send a letter', 2)).toMatchObject({
    tools: [{ entry: { name: 'mail' } }],
    usedMeaning: false,
  });
});

test('only the first search waits for vectors that take long; once they are there, they count', async () => {
  const { model } = topicModel();
  let isReady = (_models: readonly EmbeddingModel[]): void => {};
  const models = new Promise<readonly EmbeddingModel[]>((resolve) => {
    isReady = resolve;
  });
  const options = { models: () => models, cache: cacheIn(tempDir()), log: silentLogger, waitMs: 2_000 };
  const search = new ToolSearch(ENTRIES, options);
  await search.find('umbrella', 2);
  const since = performance.now();
  expect(await search.find('umbrella', 2)).toMatchObject({ usedMeaning: false });
  expect(performance.now() - since).toBeLessThan(1_000);
  isReady([model]);
  await expect.poll(async () => (await search.find('umbrella', 2)).usedMeaning).toBe(true);
});

test('vectors are kept over a restart, per text and model, in a private file', async () => {
  const folder = tempDir();
  const first = topicModel();
  await cacheIn(folder).embed(first.model, ['rain', 'letter']);
  expect(first.computed).toEqual(['rain', 'letter']);
  const again = topicModel();
  expect(await cacheIn(folder).embed(again.model, ['letter', 'rain', 'number'])).toEqual([
    new Float32Array([0, 1, 0]),
    new Float32Array([1, 0, 0]),
    new Float32Array([0, 0, 1]),
  ]);
  expect(again.computed).toEqual(['number']);
  const other = topicModel('another');
  await cacheIn(folder).embed(other.model, ['rain']);
  expect(other.computed).toEqual(['rain']);
  expect(statSync(join(folder, 'aggregator', 'vectors.bin')).mode & 0o077).toBe(0);
});

test.each(['', '{', '[]', 'null', '{"x":1}', '{"__proto__":"AAAA"}', '['.repeat(100_000)])(
  'a damaged file of vectors (%#) costs only their computation',
  async (text) => {
    const folder = tempDir();
    await cacheIn(folder).embed(topicModel().model, ['rain']);
    const file = join(folder, 'aggregator', 'vectors.bin');
    writeFileSync(file, text);
    const { model, computed } = topicModel();
    expect(await cacheIn(folder).embed(model, ['rain'])).toEqual([new Float32Array([1, 0, 0])]);
    expect(computed).toEqual(['rain']);
    const after = topicModel();
    await cacheIn(folder).embed(after.model, ['rain']);
    expect(after.computed).toEqual([]);
  },
);
