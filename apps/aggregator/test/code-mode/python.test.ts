import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { startAggregator } from '../harness.ts';
import { connect, shop, shopServer } from './programs.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const runtime = createPythonRuntime();
const { available: hasPython } = await runtime.probe();
await runtime.close();

test('a Python program calls tools by keyword, with errors as exceptions', requires(hasPython, 'python'), async () => {
  const { run } = await shop();
  const code = `
page = tools.list_items(limit=4)
prices = [tools.get_price(id=item["id"]) for item in page["items"]]
try:
    tools.fail()
except Exception as error:
    print(error)
import pandas
{"sum": int(pandas.Series(prices).sum()), "note": tools["note"]()}
`;
  const ran = await run(code, { language: 'python' });
  expect(ran).toMatchObject({ isError: false, result: { sum: 12, note: 'a plain sentence' }, calls_total: 7 });
  expect(ran.output).toContain('out of stock');
  const wrong = await run('tools.get_price(3)', { language: 'python' });
  expect(wrong.error).toContain('given by name');
  const seen = await run('[dir(tools)[:2], sorted(tools) == dir(tools), str(tools)[:20]]', { language: 'python' });
  expect(seen.result).toEqual([['atoll_status', 'big'], true, 'tools: atoll_status,']);
  const mistakes = ['tools.getPrice(id=3)', 'await tools.note()', 'return tools.note()', 'import requests'];
  const errors = await Promise.all(mistakes.map(async (each) => (await run(each, { language: 'python' })).error));
  expect(errors).toEqual([
    expect.stringContaining('did you mean get_price?'),
    expect.stringContaining('In Python calls are not awaited'),
    expect.stringContaining('leave out return'),
    expect.stringContaining('the standard library'),
  ]);
});

test('a Python program pauses for its writes as well', requires(hasPython, 'python'), async () => {
  const { run, arrived } = await shop();
  const { plan } = await run('tools.set_price(id=1, price=2)["saved"]', { language: 'python' });
  expect(plan?.writes).toEqual([{ tool: 'set_price', arguments: { id: 1, price: 2 } }]);
  expect(arrived()).toEqual([]);
  expect((await run('', { plan_id: plan?.id })).result).toBe(true);
});

/** The system's own Python is used wherever it has NumPy, whatever the environment says. */
async function hasSystemNumpy(): Promise<boolean> {
  vi.stubEnv('ATOLL_PYTHON_DIR', '/nonexistent');
  vi.stubEnv('PATH', '/nonexistent');
  const bare = createPythonRuntime();
  const { available } = await bare.probe().finally(() => vi.unstubAllEnvs());
  await bare.close();
  return available;
}

test(
  'without a sandbox for the language the refusal says how to repair it',
  requires(!(await hasSystemNumpy()), 'no-system-numpy'),
  async () => {
    vi.stubEnv('ATOLL_PYTHON_DIR', '/nonexistent');
    vi.stubEnv('PATH', '/nonexistent');
    try {
      const { run } = await connect(
        startAggregator({ mode: 'code', mcpServers: { shop: shopServer({ prefix: '' }) } }),
      );
      const { isError, error } = await run('1', { language: 'python' });
      expect(isError).toBe(true);
      expect(error).toMatch(/To repair it: .*setup-python|needs Linux/);
    } finally {
      vi.unstubAllEnvs();
    }
  },
);
