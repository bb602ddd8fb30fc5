import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../../src/index.ts';
import { configOf, eventually, startAggregator, tempDir } from '../harness.ts';
import { type Ran, shopServer } from './programs.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** A request of a caller, as the edge hands it to the app. */
function caller(id: string, more: Partial<RequestContext> = {}): RequestContext {
  return {
    era: 'modern',
    client: { id },
    capabilities: {},
    meta: {},
    signal: new AbortController().signal,
    notify: async () => {},
    ...more,
  };
}
const tokenFor = (id: string, ...views: string[]) => caller(id, { principal: { id, views } });

async function call(app: Aggregator, name: string, args: Json, context: RequestContext): Promise<Json> {
  return parsedResult(await app.handle('tools/call', { name, arguments: args }, context));
}

async function run(app: Aggregator, code: string, context = caller('a'), more: Json = {}): Promise<Ran> {
  const { structuredContent, isError } = await call(app, 'run_tools', { code, ...more }, context);
  return { ...(structuredContent as object), isError: isError === true } as Ran;
}

/** What the program's attempt gives: its value, or the message it was refused with. */
const attempt = (expression: string) =>
  `try { return { got: await (${expression}) } } catch (error) { return { refused: String(error?.message ?? error) } }`;

async function withShop(settings: object, server: object = {}) {
  const journal = join(tempDir(), 'journal');
  const shop = shopServer({ prefix: '', ...server }, { SHOP_JOURNAL: journal, SHOP_LIES: '1' });
  const app = startAggregator({ mode: 'code', mcpServers: { shop }, ...settings });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  const arrived = () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n').filter(Boolean) : []);
  return { app, arrived };
}

/** Each attack fails where the rule stands, and the same program succeeds where it does not. */
async function expectHeld(attacks: readonly Attack[]) {
  for (const { name, code, guarded, open } of attacks) {
    const held = await guarded(code);
    expect(held.result, `${name}: ${JSON.stringify(held)}`).toEqual({ refused: expect.any(String) });
    const free = await open(code);
    expect(free.result, `${name} without the rule: ${JSON.stringify(free)}`).toHaveProperty('got');
  }
}
interface Attack {
  readonly name: string;
  readonly code: string;
  guarded(code: string): Promise<Ran>;
  open(code: string): Promise<Ran>;
}

test('a program reaches nothing that its caller cannot call', async () => {
  const views = { prices: { allow: ['get_price'] }, other: { servers: ['nothing'] }, all: {} };
  const { app, arrived } = await withShop({ views }, { deny: ['note'] });
  const { app: free } = await withShop({ views: {} });
  const open = (code: string) => run(free, code);
  const inPrices = (code: string) => run(app, code, tokenFor('p', 'prices'));
  await expectHeld([
    { name: 'a tool outside of its view', code: attempt('tools.list_items()'), guarded: inPrices, open },
    { name: 'by another spelling', code: attempt('tools["LIST-items"]()'), guarded: inPrices, open },
    { name: 'by the key of its server', code: attempt('tools.shop_list_items()'), guarded: inPrices, open },
    { name: 'by the raw host function', code: attempt('call("list_items", {})'), guarded: inPrices, open },
    {
      name: 'by a path of the view in the arguments',
      code: attempt('call("list_items", { path: "all", _meta: { path: "all" } })'),
      guarded: inPrices,
      open,
    },
    {
      name: 'a server outside of its view',
      code: attempt('tools.get_price({ id: 1 })'),
      guarded: (code) => run(app, code, tokenFor('o', 'other')),
      open,
    },
    {
      name: 'a tool that the configuration denies',
      code: attempt('tools.note()'),
      guarded: (code) => run(app, code),
      open,
    },
    {
      name: 'a denied tool by another spelling',
      code: attempt('tools["NOTE"]()'),
      guarded: (code) => run(app, code),
      open,
    },
    {
      name: 'describing a tool outside of its view',
      code: attempt('tools.describe_tool({ name: "list_items" })'),
      guarded: inPrices,
      open,
    },
  ]);
  const found = await run(
    app,
    'return (await tools.search_tools({ query: "list items" })).tools',
    tokenFor('p', 'prices'),
  );
  expect(JSON.stringify(found.result)).not.toContain('list_items');
  // Only what was allowed has arrived; a view that the token does not open is refused before any program runs.
  expect(arrived()).toEqual([]);
  await expect(run(app, 'return 1', { ...tokenFor('p', 'prices'), path: 'all' })).rejects.toThrow(
    'no access to the view',
  );
});

test('a program starts no program, administers nothing and calls nothing through another tool', async () => {
  const { app } = await withShop({ http: true });
  for (const name of ['run_tools', 'RUN-tools', 'run.tools', 'atoll_run_tools', 'call_tool', 'Call_Tool']) {
    const { result } = await run(app, attempt(`tools[${JSON.stringify(name)}]({ code: "1", name: "note" })`));
    expect(result, name).toEqual({ refused: expect.stringContaining('cannot be called in a program') });
  }
  for (const name of [
    'atoll_admin_servers',
    'atoll_admin_create_token',
    'ATOLL_ADMIN_SERVERS',
    'atoll-admin-servers',
  ]) {
    const { result } = await run(app, attempt(`tools[${JSON.stringify(name)}]({})`));
    expect(result, name).toEqual({ refused: expect.stringContaining('Unknown tool') });
  }
  // The same name is served to the caller itself.
  expect(await call(app, 'atoll_admin_servers', {}, caller('a'))).not.toHaveProperty('isError', true);
});

test('forged names, arguments and objects reach no tool that was not meant', async () => {
  const { app, arrived } = await withShop({});
  const names = ['__proto__', 'toString', 'hasOwnProperty', 'valueOf', '', ' ', 'get_price\\n', 'x'.repeat(2_000)];
  for (const name of names) {
    const { result } = await run(app, attempt(`call("${name}", {})`));
    expect(result, name).toHaveProperty('refused');
  }
  const forged = [
    'call({ toString: () => "run_tools" }, { code: "1" })',
    'call("get_price", JSON.parse(\'{"__proto__": {"id": 1}}\'))',
    'call("get_price", { id: { valueOf: () => 1 } })',
    'call("get_price", { id: 1n })',
    'call("get_price", Object.create({ id: 1 }))',
    'call("get_price", { toJSON: () => "x" })',
    'call("tools/call", { name: "get_price", arguments: { id: 1 } })',
    'new Promise((resolve, reject) => { call("get_price", { id: () => 1 }).then(resolve, reject) })',
  ];
  for (const expression of forged) {
    const { result } = await run(app, attempt(expression));
    expect(result, expression).toHaveProperty('refused');
  }
  expect(arrived()).toEqual([]);
  // What replaces built-in functions changes only the program itself.
  const poisoned = `JSON.stringify = () => '{"id":2}'; JSON.parse = () => 99; Promise.prototype.then = null;
    Object.defineProperty(Object.prototype, 'id', { value: 7 }); ${attempt('call("get_price", { id: 3 })')}`;
  await run(app, poisoned);
  expect(arrived().map((line) => JSON.parse(line).args)).toEqual([{ id: 3 }]);
  expect((await run(app, 'return ({}).id ?? null')).result).toBeNull();
});

test('floods meet limits: calls in a program, calls of a caller, programs that wait', async () => {
  const { app, arrived } = await withShop({ callsPerProgram: 50, callsPerMinute: 30, confirmWrites: 'ask' });
  const loop = `let done = 0; for (let n = 0; n < 60; n++) await tools.get_price({ id: 1 }).then(() => done++, () => {}); return done`;
  const { result } = await run(app, loop, caller('flood'));
  expect(result).toBeLessThanOrEqual(30);
  expect(arrived().length).toBeLessThanOrEqual(30);
  // Another program of the same caller is refused as a direct call would be; another caller is not.
  await expect(run(app, 'return 1', caller('flood'))).rejects.toThrow('Too many calls');
  expect((await run(app, 'return 1', caller('other'))).result).toBe(1);
  const unknown = await run(
    app,
    'for (let n = 0; n < 200; n++) await call("no" + n, {}).catch(() => {}); return "end"',
    caller('c'),
  );
  expect(unknown.calls_total).toBe(50);
  const huge = await run(app, attempt('call("get_price", { id: 1, more: "x".repeat(70_000_000) })'), caller('d'));
  expect(huge.isError || 'refused' in (huge.result as object)).toBe(true);
  const plans = [];
  for (let n = 0; n < 4; n++)
    plans.push((await run(app, 'await tools.set_price({ id: 1, price: 1 })', caller('e'))).plan?.id);
  const confirm = async (id: unknown) => (await call(app, 'run_tools', { plan_id: id }, caller('e'))).isError === true;
  expect(await confirm(plans[0])).toBe(true);
  expect(await confirm(plans[3])).toBe(false);
});

test('writes are held back whatever a program does, and plans belong to their caller', async () => {
  const { app, arrived } = await withShop({ views: { all: {} } });
  const { app: free } = await withShop({ confirmWrites: 'allow' });
  const writes = [
    'tools.set_price({ id: 1, price: 2 })',
    'call("SET-price", { id: 1, price: 2 })',
    'tools.lies()',
    'Promise.race([tools.set_price({ id: 1, price: 2 }), tools.note()])',
  ];
  for (const write of writes) {
    const { plan } = await run(
      app,
      `const x = await ${write}; await tools.set_price({ id: 2, price: 2 })`,
      caller(write),
    );
    expect(plan, write).toBeDefined();
    expect((await run(free, `return ${write}`)).isError, write).toBe(false);
  }
  const timedOut = await run(app, 'tools.set_price({ id: 5, price: 5 }); for (;;) {}', caller('t'), {
    timeout_ms: 300,
  });
  expect(timedOut.isError).toBe(true);
  const written = () => arrived().filter((line) => /set_price|lies/.test(line));
  expect(written()).toEqual([]);
  const mine = await run(app, 'return tools.set_price({ id: 1, price: 3 })', caller('mine'));
  const confirm = (context: RequestContext, more: Json = {}) =>
    call(app, 'run_tools', { plan_id: mine.plan?.id, ...more }, context);
  for (const thief of [caller('thief'), tokenFor('mine', 'all'), caller('mine', { path: 'all' })]) {
    expect((await confirm(thief)).isError).toBe(true);
  }
  expect((await confirm(caller('mine'), { code: 'return tools.set_price({ id: 9, price: 9 })' })).isError).toBe(true);
  expect(written()).toEqual([]);
  expect((await confirm(caller('mine'))).isError).toBeUndefined();
  expect((await confirm(caller('mine'))).isError).toBe(true);
  expect(written()).toHaveLength(1);
});

test('a forged or stolen state of a question finishes no program', async () => {
  const { app, arrived } = await withShop({});
  const asking = (more: Partial<RequestContext> = {}) =>
    caller('asked', { capabilities: { elicitation: { form: {} } }, ...more });
  const params = { name: 'run_tools', arguments: { code: 'return tools.set_price({ id: 1, price: 1 })' } };
  const question = parsedResult(await app.handle('tools/call', params, asking()));
  expect(question.resultType).toBe('input_required');
  const state = String(question.requestState);
  const [key = ''] = Object.keys(question.inputRequests as object);
  const inputResponses = { [key]: { action: 'accept', content: { confirm: true } } };
  const answer = (more: Partial<RequestContext>, code?: string) =>
    app.handle(
      'tools/call',
      code === undefined ? params : { ...params, arguments: { code } },
      asking({ inputResponses, requestState: state, ...more }),
    );
  const refused = async (more: Partial<RequestContext>, code?: string) =>
    expect(parsedResult(await answer(more, code))).toMatchObject({ isError: true });
  await refused({ requestState: 'forged.state' });
  await refused({ requestState: `${state}x` });
  await refused({ client: { id: 'thief' } });
  await refused({}, 'return tools.set_price({ id: 2, price: 2 })');
  expect(arrived()).toEqual([]);
  expect(parsedResult(await answer({}))).toMatchObject({ structuredContent: { result: { saved: true } } });
  await refused({});
  expect(arrived()).toHaveLength(1);
});

test('a kept result is read by the caller it was made for, in its view, and by nobody else', async () => {
  const { app } = await withShop({ views: { one: {}, two: {} } });
  const owner = tokenFor('ann', 'one');
  const { result } = await run(app, 'return tools.big({ rows: 2000 })', owner);
  const { result_id: id, uri } = result as { result_id: string; uri: string };
  const reads = async (context: RequestContext) => {
    const direct = await call(app, 'read_result', { id, path: 'n' }, context);
    const inProgram = await run(app, attempt(`tools.read_result({ id: "${id}", path: "n" })`), context);
    const resource = await app.handle('resources/read', { uri }, context).then(
      () => true,
      () => false,
    );
    return [direct.isError !== true, 'got' in (inProgram.result as object), resource];
  };
  expect(await reads(owner)).toEqual([true, true, true]);
  const others = [tokenFor('bob', 'one'), tokenFor('ann', 'two'), caller('ann'), caller('ann', { path: 'one' })];
  for (const other of others) expect(await reads(other)).toEqual([false, false, false]);
  for (const guess of ['', '*', `${id} `, id.toUpperCase(), '../status', `${id}/../${id}`]) {
    const guessed = await call(app, 'read_result', { id: guess || ' ' }, tokenFor('bob', 'one'));
    expect(guessed.isError, guess).toBe(true);
  }
});

test('a tool that disappears while a program waits is an error of the program', async () => {
  const { app } = await withShop({});
  const code = 'try { return await tools.set_price({ id: 1, price: 1 }) } catch (error) { return error.message }';
  const { plan } = await run(app, code);
  await app.reconfigure(configOf({ mode: 'code', mcpServers: {} }));
  const ended = await call(app, 'run_tools', { plan_id: plan?.id }, caller('a'));
  expect(ended.structuredContent).toMatchObject({ result: expect.stringContaining('Unknown tool "set_price"') });
});
