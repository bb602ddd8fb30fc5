import { describe, expect, test } from 'vitest';
import { connect } from '../fixtures/client.ts';
import { openWritable } from '../fixtures/sqlite.ts';
import { emptyHome, legacyHome, studioHome } from '../fixtures/studio.ts';

interface Matches {
  readonly matches: { readonly title: string; readonly matched_in: string; readonly snippet: string }[];
}

describe('export_conversations', () => {
  test('gives conversations with their messages, the latest first', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call('export_conversations');
    expect(data).toMatchObject({
      format: 'json',
      count: 2,
      includes_messages: true,
      conversations: [
        {
          id: 'c1',
          title: 'Bread, "rye" and more',
          models: ['llama3.2:3b'],
          messages: [
            { role: 'user', content: 'How long does rye bread bake?' },
            { role: 'assistant', content: 'About an hour.\nMy key is [redacted].' },
          ],
        },
        { id: 'c2', messages: [{ content: 'Where is snake_case used?' }] },
      ],
    });
  });

  test('quotes CSV as it must be', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ content: string }>('export_conversations', { output_format: 'csv', days: 7 });
    const lines = data.content.split('\r\n');
    expect(lines[0]).toBe('conversation_id,title,created_at,models,role,message_created_at,content');
    expect(lines[1]).toContain('c1,"Bread, ""rye"" and more",');
    expect(data.content).toContain('"About an hour.\nMy key is [redacted]."');
  });

  test('writes Markdown', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ content: string }>('export_conversations', { output_format: 'markdown' });
    expect(data.content).toContain('# Taxes 100% done');
    expect(data.content).toContain('**user**\n\nHow long does rye bread bake?');
  });

  test('chooses by time, model and number', async () => {
    const { call } = await connect({ home: studioHome().home });
    const ids = async (args: object) =>
      (await call<{ conversations: { id: string }[] }>('export_conversations', { ...args })).data.conversations.map(
        ({ id }) => id,
      );
    expect(await ids({ days: 7 })).toEqual(['c1']);
    expect(await ids({ model_filter: 'qwen3' })).toEqual(['c2']);
    expect(await ids({ model_filter: 'gpt-5' })).toEqual(['c1']);
    expect(await ids({ model_filter: '%' })).toEqual([]);
    expect(await ids({ limit: 1 })).toEqual(['c1']);
  });

  test('ends where an answer is long enough, and says so', async () => {
    const { home, path } = studioHome();
    const database = openWritable(path);
    const say = database.prepare(
      'INSERT INTO conversationTextMessages (id, conversationTextId, content) VALUES (?, ?, ?)',
    );
    for (const id of ['c1', 'c2']) say.run(`long-${id}`, id, 'y'.repeat(2_500_000));
    database.close();
    const { call } = await connect({ home });
    expect((await call('export_conversations')).data).toMatchObject({ count: 1, truncated: true });
    expect((await call('export_conversations', { limit: 1 })).data).toMatchObject({ count: 1, truncated: false });
    const { data } = await call<{ rows: { content: string }[] }>('read_msty_database', {
      query_type: 'custom',
      table_name: 'messages',
    });
    expect(Math.max(...data.rows.map(({ content }) => content.length))).toBeLessThan(60_000);
  });

  test('works on Msty 1', async () => {
    const { call } = await connect({ home: legacyHome().home });
    expect((await call('export_conversations')).data).toMatchObject({
      schema: 'legacy',
      conversations: [
        { title: '100% sure', created_at: '2025-03-02T10:00:00.000Z', messages: [] },
        {
          title: 'Old chat',
          models: ['llama2:7b'],
          messages: [{ role: 'user' }, { content: 'With flour, water and time.' }],
        },
      ],
    });
  });

  test.each([
    [{ output_format: 'pdf' }, 'INVALID_PARAMETER'],
    [{ limit: 0 }, 'INVALID_PARAMETER'],
    [{ days: -1 }, 'INVALID_PARAMETER'],
  ])('answers %j with %s', async (args, code) => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('export_conversations', args)).error.code).toBe(code);
  });
});

describe('search_conversations', () => {
  const search = async (home: string, args: Record<string, unknown>) =>
    (await (await connect({ home })).call<Matches>('search_conversations', args)).data;

  test('finds words in titles and messages, without regard to case', async () => {
    const { matches } = await search(studioHome().home, { query: 'RYE' });
    expect(matches).toMatchObject([
      { conversation_id: 'c1', matched_in: 'title', title: 'Bread, "rye" and more' },
      { conversation_id: 'c1', matched_in: 'message', role: 'user', snippet: 'How long does rye bread bake?' },
    ]);
  });

  test('takes % and _ as plain signs', async () => {
    const { home } = studioHome();
    expect((await search(home, { query: '100%' })).matches).toMatchObject([{ conversation_id: 'c2' }]);
    expect((await search(home, { query: '%' })).matches).toHaveLength(1);
    expect((await search(home, { query: 'snake_case' })).matches).toMatchObject([
      { conversation_id: 'c2', snippet: 'Where is snake_case used?' },
    ]);
    expect((await search(home, { query: 'snakeXcase' })).matches).toEqual([]);
    expect((await search(home, { query: "' OR '1'='1" })).matches).toEqual([]);
  });

  test('ignores case beyond ASCII', async () => {
    const { home, path } = studioHome();
    const database = openWritable(path);
    database.exec("INSERT INTO conversationTexts (id, title) VALUES ('u', 'Über Äpfel')");
    database.close();
    expect((await search(home, { query: 'über' })).matches).toHaveLength(1);
    expect((await search(home, { query: 'ÜBER' })).matches).toHaveLength(1);
  });

  test('looks at titles only when asked', async () => {
    const { matches } = await search(studioHome().home, { query: 'bread', search_type: 'title' });
    expect(matches.map(({ matched_in }) => matched_in)).toEqual(['title']);
  });

  test('works on Msty 1, and obeys its limit', async () => {
    const { home } = legacyHome();
    expect((await search(home, { query: 'flour' })).matches).toMatchObject([{ title: 'Old chat', role: 'assistant' }]);
    expect((await search(home, { query: 'a', limit: 1 })).matches).toHaveLength(1);
  });

  test.each([
    [{}, 'MISSING_PARAMETER'],
    [{ query: '' }, 'INVALID_PARAMETER'],
    [{ query: '   ' }, 'INVALID_PARAMETER'],
    [{ query: 'x', search_type: 'semantic' }, 'INVALID_PARAMETER'],
    [{ query: 'x', limit: 100_000 }, 'INVALID_PARAMETER'],
  ])('answers %j with %s', async (args, code) => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('search_conversations', args)).error.code).toBe(code);
  });
});

describe('a database with several tables of the same kind', () => {
  const bothHome = () => {
    const { home, path } = legacyHome();
    const database = openWritable(path);
    database.exec(`
      CREATE TABLE chats (id INTEGER PRIMARY KEY, title TEXT, created_at TEXT);
      CREATE TABLE messages (id INTEGER PRIMARY KEY, chat_id INTEGER, role TEXT, content TEXT, created_at TEXT);
      INSERT INTO chats VALUES (1, 'Garden', '2025-04-01 10:00:00');
      INSERT INTO messages VALUES (1, 1, 'user', 'When do I sow flour corn?', '2025-04-01 10:00:01');
    `);
    database.close();
    return home;
  };

  test('is searched in all of them', async () => {
    const { call } = await connect({ home: bothHome() });
    const { data } = await call<Matches>('search_conversations', { query: 'flour' });
    expect(data.matches).toMatchObject([
      { title: 'Garden', snippet: 'When do I sow flour corn?' },
      { title: 'Old chat', snippet: 'With flour, water and time.' },
    ]);
    const titles = await call<Matches>('search_conversations', { query: 'a', search_type: 'title' });
    expect(titles.data.matches.map(({ title }) => title).sort()).toEqual(['Garden', 'Old chat']);
    expect((await call<Matches>('search_conversations', { query: 'flour', limit: 1 })).data.matches).toHaveLength(1);
  });

  test('is exported from all of them, each message in its own conversation', async () => {
    const { call } = await connect({ home: bothHome() });
    const { data } = await call('export_conversations');
    expect(data).toMatchObject({
      count: 3,
      conversations: [
        { title: 'Garden', messages: [{ content: 'When do I sow flour corn?' }] },
        { title: '100% sure', messages: [] },
        { title: 'Old chat', messages: [{ role: 'user' }, { role: 'assistant' }] },
      ],
    });
    expect((await call('export_conversations', { limit: 2 })).data).toMatchObject({
      conversations: [{ title: 'Garden' }, { title: '100% sure' }],
    });
  });

  test('is counted over all of them', async () => {
    const { call } = await connect({ home: bothHome() });
    expect((await call('get_conversation_stats')).data).toMatchObject({
      total_conversations: 3,
      total_messages: 3,
      avg_messages_per_conversation: 1,
      messages_by_role: { user: 2, assistant: 1 },
      last_activity_at: '2025-04-01T10:00:00.000Z',
    });
    expect((await call('read_msty_database', { query_type: 'stats' })).data).toMatchObject({
      total_conversations: 3,
      total_messages: 3,
    });
    expect((await call('analyse_conversation_patterns', { days: 3650 })).data).toMatchObject({
      recent_conversations: 3,
      by_hour_utc: { '10': 3 },
      top_models: null,
    });
    expect((await call('read_msty_database', { query_type: 'conversations' })).data).toMatchObject({
      table: 'chat_sessions',
      total_rows: 2,
      further_tables: ['chats'],
    });
  });

  test('has null for what no table tells', async () => {
    const { home, path } = legacyHome();
    const database = openWritable(path);
    database.exec('DROP TABLE chat_messages');
    database.close();
    const { call } = await connect({ home });
    expect((await call('get_conversation_stats')).data).toMatchObject({
      total_conversations: 2,
      total_messages: null,
      recent_messages: null,
      avg_messages_per_conversation: null,
      messages_by_role: null,
    });
    expect((await call('search_conversations', { query: 'flour' })).data).toMatchObject({ messages_searched: false });
  });
});

describe('figures', () => {
  test('count conversations and messages', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('get_conversation_stats')).data).toMatchObject({
      days: 30,
      total_conversations: 2,
      total_messages: 3,
      recent_conversations: 1,
      recent_messages: 2,
      avg_messages_per_conversation: 1.5,
      messages_by_role: { user: 2, assistant: 1 },
    });
  });

  test('show when and with what people talk', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('analyse_conversation_patterns', { days: 90 })).data).toMatchObject({
      recent_conversations: 2,
      top_models: [
        { model_id: 'llama3.2:3b', calls: 2 },
        { model_id: 'gpt-5', calls: 1 },
      ],
    });
  });

  test.each([
    ['24h', 1, 100],
    ['7d', 2, 300],
    ['30d', 3, 700],
    ['90d', 3, 700],
    ['all', 3, 700],
  ])("sum up Studio's own records over %s", async (timeframe, calls, total_tokens) => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('get_insights_usage', { timeframe })).data).toMatchObject({ totals: { calls, total_tokens } });
  });

  test('are given for each day too, oldest first', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call('get_insights_usage', { timeframe: '30d' });
    const { daily } = data as { daily: { day: string; calls: number; total_tokens: number }[] };
    expect(daily.map(({ calls, total_tokens }) => [calls, total_tokens])).toEqual([
      [1, 400],
      [1, 200],
      [1, 100],
    ]);
    const days = daily.map(({ day }) => day);
    expect(days).toEqual(days.toSorted());
    expect(days.every((day) => /^\d{4}-\d\d-\d\d$/.test(day))).toBe(true);
  });

  test('are null where Studio did not record them', async () => {
    const { home, path } = studioHome();
    const database = openWritable(path);
    database.exec('ALTER TABLE insightsLanguageModelUsage DROP COLUMN totalCostInUSD');
    database.close();
    const { call } = await connect({ home });
    expect((await call('get_insights_usage', { timeframe: 'all' })).data).toMatchObject({
      totals: { calls: 3, total_tokens: 700, cost_usd: null },
      models: [{ cost_usd: null }, { cost_usd: null }],
    });
    expect((await call('get_insights_usage', { model_id: 'nothing' })).data).toMatchObject({
      totals: { calls: 0, total_tokens: 0, cost_usd: null },
    });
  });

  test('can be of one model, and refuse other timeframes', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('get_insights_usage', { model_id: 'gpt-5', timeframe: 'all' })).data).toMatchObject({
      totals: { calls: 1 },
      models: [{ model_id: 'gpt-5' }],
    });
    expect((await call('get_insights_usage', { timeframe: '1y' })).error.code).toBe('INVALID_PARAMETER');
  });
});

describe('inventory', () => {
  test.each([
    ['list_workspaces', 'Home'],
    ['list_personas', 'Baker'],
    ['list_knowledge_stacks', 'Recipes'],
    ['list_prompts', 'Summarise'],
    ['list_turnstiles', 'Review'],
    ['list_toolsets', 'Everyday'],
  ])('%s shows what Studio holds', async (tool, text) => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ items: unknown[]; count: number }>(tool);
    expect(data.count).toBe(1);
    expect(JSON.stringify(data.items)).toContain(text);
  });

  test.each([
    ['list_crews', 'Editors'],
    ['list_shadow_personas', 'Critic'],
    ['list_live_contexts', 'Weather'],
    ['list_skills', 'Summaries'],
    ['list_context_studio', 'photo'],
  ])('%s shows %s', async (tool, name) => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call(tool)).data).toMatchObject({ items: [{ name }], count: 1, total: 1, schema: 'drizzle' });
  });

  test('lists agent plans, folders and migrations, the latest first', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('list_agent_plans')).data).toMatchObject({ items: [{ id: 'ap1', totalDurationMs: 1200 }] });
    expect((await call('list_skills')).data).toMatchObject({ folders: [{ name: 'Writing' }] });
    expect((await call('list_context_studio')).data).toMatchObject({ folders: [{ name: 'Photos' }] });
    expect((await call('get_schema_migrations', { limit: 1 })).data).toMatchObject({
      items: [{ hash: 'bbb' }],
      count: 1,
      total: 2,
    });
  });

  test('counts every kind, with null for what this version has no table for', async () => {
    const { call } = await connect({ home: studioHome().home });
    const { data } = await call<{ entities: { entity: string }[] }>('list_studio_catalogue');
    expect(data.entities).toContainEqual({ entity: 'crews', table: 'crews', count: 1 });
    expect(data.entities).toContainEqual({ entity: 'conversations', table: 'conversationTexts', count: 2 });
    expect(data.entities).toContainEqual({ entity: 'tool_configs', table: null, count: null });
    const legacy = await connect({ home: legacyHome().home });
    expect((await legacy.call('list_crews')).error.code).toBe('QUERY_ERROR');
  });

  test('opens JSON columns', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('list_turnstiles')).data).toMatchObject({ items: [{ steps: ['read', 'judge'] }] });
  });

  test('shows one entity, or says that it is not there', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('get_studio_entity', { entity: 'knowledge_stacks', entity_id: 'k1' })).data).toMatchObject({
      item: { title: 'Recipes' },
    });
    expect((await call('get_studio_entity', { entity: 'personas', entity_id: 'zzz' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await call('get_studio_entity', { entity: 'sqlite_master', entity_id: '1' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await call('get_studio_entity', { entity: 'tool_configs', entity_id: '1' })).error.code).toBe(
      'QUERY_ERROR',
    );
  });

  test('advises on personas and stacks', async () => {
    const { call } = await connect({ home: studioHome().home });
    expect((await call('suggest_persona_improvements')).data).toMatchObject({
      personas_analysed: 1,
      suggestions: expect.arrayContaining([
        { subject: 'Baker', issue: 'High temperature (1.2)', suggestion: expect.any(String) },
      ]),
    });
    expect((await call('suggest_persona_improvements', { persona_name: 'Nobody' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await call('optimise_knowledge_stacks')).data).toMatchObject({
      total_stacks: 1,
      suggestions: [{ subject: 'Recipes', issue: 'Never composed' }, { issue: 'No sources' }],
    });
  });

  test('is not in Msty 1', async () => {
    const { call } = await connect({ home: legacyHome().home });
    expect((await call('list_workspaces')).error.code).toBe('QUERY_ERROR');
  });

  test.each([
    ['read_msty_database', { query_type: 'stats' }],
    ['list_configured_tools', {}],
    ['analyse_conversation_patterns', {}],
    ['optimise_knowledge_stacks', {}],
    ['suggest_persona_improvements', {}],
    ['export_conversations', {}],
    ['search_conversations', { query: 'x' }],
    ['get_conversation_stats', {}],
    ['list_personas', {}],
    ['get_insights_usage', {}],
    ['get_studio_entity', { entity: 'personas', entity_id: 'x' }],
  ])('%s needs a database', async (tool, args) => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call(tool, args)).error.code).toBe('DATABASE_NOT_FOUND');
  });
});
