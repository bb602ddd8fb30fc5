import { silentLogger } from '@atoll-mcp/core';
import { afterAll, expect, test, vi } from 'vitest';
import { openLake } from '../src/server.ts';
import { uploadedFile } from '../src/service/library.ts';
import { afterTests, cleanUp, configFor, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

test('a table below another one is queried, found under its own names and described', async () => {
  const lake = await openLake(configFor(await newFolder(), '--no-embed'), { log: silentLogger });
  afterTests(() => lake.close());
  const prices = Array.from({ length: 300 }, (_, at) => `rope${at},${at}.5`);
  const sales = 'name,amount\nnorth,1\nsouth,2\neast,3\nwest,4\n';
  const { memory } = await lake.add(
    uploadedFile('sales.csv', Buffer.from(`${sales}\nproduct,price\n${prices.join('\n')}\n`)),
  );
  const query = (sql: string) => lake.queryTables(sql, { limit: 10 });
  expect((await query('SELECT SUM(amount), COUNT(*) FROM sales')).rows).toEqual([[10, 4]]);
  const below = await query("SELECT price, _row FROM sales_sales_table_2 WHERE product = 'rope280'");
  expect(below.rows).toEqual([[280.5, 288]]);
  expect(below.tables[0]).toMatchObject({ place: { sheet: 'sales', rows: [7, 307] } });
  const { results } = await lake.search({ query: 'rope280' });
  expect(results[0]!.passages[0]!.text).toMatch(/^product \| price\n/);
  expect(memory.summary).toContain('Below it "sales table 2": 300 rows (7–307); columns: product, price.');
});
