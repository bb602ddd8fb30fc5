import { expect, test, vi } from 'vitest';
import { type ElicitationAnswer, shop } from './programs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const accept =
  (further = false) =>
  (): ElicitationAnswer => ({ action: 'accept', content: { confirm: true, further } });
const THREE_WRITES = `
  const { items } = await tools.list_items({ limit: 3 });
  return Promise.all(items.map(({ id }) => tools.set_price({ id, price: 9 })));
`;
const ONE_BY_ONE = 'for (const id of [1, 2, 3]) await tools.set_price({ id, price: id }); return "done"';

test.each(['legacy', 'modern'] as const)('a %s client is asked once for all writes that wait', async (era) => {
  const { run, asked, arrived } = await shop({ era, answer: accept() });
  const { result } = await run(THREE_WRITES);
  expect(result).toMatchObject([{ saved: true }, { saved: true }, { saved: true }]);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('3 calls that may change something');
  for (const id of [0, 1, 2]) expect(asked[0]).toContain(`set_price {"id":${id},"price":9}`);
  expect(arrived().filter(({ name }) => name === 'set_price')).toHaveLength(3);
});

test.each(['legacy', 'modern'] as const)('writes that a %s client declines are not made', async (era) => {
  const { run, arrived } = await shop({ era, answer: () => ({ action: 'decline' }) });
  const { result } = await run('return tools.set_price({ id: 1, price: 2 }).catch((error) => error.message)');
  expect(result).toBe('The call of set_price was not confirmed, and not made');
  expect(arrived().filter(({ name }) => name === 'set_price')).toEqual([]);
});

test('accepting without the tick confirms nothing', async () => {
  const { run, arrived } = await shop({
    answer: () => ({ action: 'accept', content: { confirm: false, further: true } }),
  });
  expect(await run(ONE_BY_ONE)).toMatchObject({ isError: true });
  expect(arrived()).toEqual([]);
});

test('an answer covers the calls that were shown, or later ones of the same tools where the user says so', async () => {
  const each = await shop({ era: 'legacy', answer: accept() });
  expect((await each.run(ONE_BY_ONE)).result).toBe('done');
  expect(each.asked).toHaveLength(3);
  const once = await shop({ answer: accept(true) });
  expect((await once.run(ONE_BY_ONE)).result).toBe('done');
  expect(once.asked).toHaveLength(1);
  await once.run(ONE_BY_ONE);
  expect(once.asked).toHaveLength(2);
});

test.each(['legacy', 'modern'] as const)(
  'a %s client that cannot be asked gets the plan and goes on with its id',
  async (era) => {
    const { run, arrived } = await shop({ era });
    const writes = () => arrived().filter(({ name }) => name === 'set_price');
    const paused = await run(THREE_WRITES);
    expect(paused).toMatchObject({ isError: false, result: null, calls_total: 1 });
    expect(paused.plan?.writes.map(({ arguments: args }) => args)).toEqual([0, 1, 2].map((id) => ({ id, price: 9 })));
    expect(writes()).toEqual([]);
    const ended = await run('', { plan_id: paused.plan?.id });
    expect(ended.result).toHaveLength(3);
    expect(writes()).toHaveLength(3);
    // The program went on where it was: nothing was called a second time.
    expect(arrived().filter(({ name }) => name === 'list_items')).toHaveLength(1);
    expect(await run('', { plan_id: paused.plan?.id })).toMatchObject({ isError: true });
  },
);

test('each pause of a program has a plan of its own', async () => {
  const { run, arrived } = await shop();
  let ran = await run(ONE_BY_ONE);
  for (const id of [1, 2, 3]) {
    expect(ran.plan?.writes).toEqual([{ tool: 'set_price', arguments: { id, price: id } }]);
    ran = await run(ONE_BY_ONE, { plan_id: ran.plan?.id });
  }
  expect(ran.result).toBe('done');
  expect(arrived()).toHaveLength(3);
});

test('a plan shows as much of large arguments as a model reads, and the call is made with all of them', async () => {
  const { run, arrived } = await shop();
  const large = { name: 'n', text: 'x'.repeat(1_000_000), list: Array.from({ length: 10_000 }, () => 1) };
  const { plan } = await run(
    'const more = { name: "n", text: "x".repeat(1e6), list: Array(10_000).fill(1) }; await tools.set_price({ id: 1, price: 2, ...more })',
  );
  const [write] = plan?.writes ?? [];
  expect(write?.arguments).toMatchObject({
    id: 1,
    price: 2,
    name: 'n',
    text: expect.stringContaining('more characters'),
  });
  expect(JSON.stringify(plan).length).toBeLessThan(5_000);
  await run('', { plan_id: plan?.id });
  expect(arrived().map(({ args }) => args)).toEqual([{ id: 1, price: 2, ...large }]);
  const names = await run('await tools.set_price({ id: 1, price: 2, ["y".repeat(200_000)]: 1 })');
  expect(JSON.stringify(names.plan).length).toBeLessThan(5_000);
});

test('a plan is confirmed for its own program only, and may cover later calls', async () => {
  const { run } = await shop();
  const { plan } = await run(ONE_BY_ONE);
  expect(await run('return 1', { plan_id: plan?.id })).toMatchObject({
    isError: true,
    error: expect.stringContaining('belongs to another program'),
  });
  expect(await run('', { plan_id: plan?.id, further: true })).toMatchObject({ result: 'done' });
});

test('"deny" refuses and "allow" lets pass, for a server or for all', async () => {
  const denied = await shop({ server: { confirmWrites: 'deny' }, settings: { confirmWrites: 'allow' } });
  expect(await denied.run(ONE_BY_ONE)).toMatchObject({ isError: true, error: expect.stringContaining('"deny"') });
  expect(denied.arrived()).toEqual([]);
  const allowed = await shop({ settings: { confirmWrites: 'allow' } });
  expect((await allowed.run(ONE_BY_ONE)).result).toBe('done');
});

test('waiting for people does not count as running', async () => {
  const { run } = await shop({
    answer: () => {
      const until = Date.now() + 900;
      while (Date.now() < until);
      return { action: 'accept', content: { confirm: true, further: false } };
    },
  });
  expect(await run('await tools.set_price({ id: 1, price: 2 }); return 1', { timeout_ms: 800 })).toMatchObject({
    result: 1,
  });
});
