// Fill the empty column of a spreadsheet from searches, each cell with the place it was found at.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, newFolder } from './_atoll.mjs';

const config = join(newFolder(), 'atoll.json');
writeFileSync(config, JSON.stringify({ mode: 'code', servers: { memorylake: {} } }));
const { call, close } = await connect('aggregator', { flags: ['--config', config] });

const add = (name, text) => call('call_tool', { name: 'add_memory', arguments: { name, text } });
await add('suppliers.csv', 'supplier,days\nHarbour Ropes,\nNorth Sails,\nIsland Paint,\n');
await add('ropes.md', '# Contract with Harbour Ropes\n\nInvoices of Harbour Ropes are due within 30 days.\n');
await add('sails.md', '# Contract with North Sails\n\nNorth Sails gives us 45 days to pay an invoice.\n');
await add('kitchen.md', '# Kitchen\n\nThe coffee machine is descaled every 90 days.\n');

// One search for each row, all at once; only the filled table comes back. What no document says stays empty.
const { result, calls_total } = await call('run_tools', {
  code: `
    const { rows } = await tools.query_memory_tables({ sql: 'SELECT supplier FROM suppliers' });
    const filled = await Promise.all(rows.map(async ([supplier]) => {
      const { results } = await tools.search_memory({ query: supplier + ' days to pay an invoice', limit: 3 });
      for (const { id, snippets } of results) {
        const said = snippets.find(({ text }) => text.includes(supplier) && /\\d+ days/.test(text));
        if (said) return { supplier, days: Number(/(\\d+) days/.exec(said.text)[1]), source: id };
      }
      return { supplier, days: null, source: null };
    }));
    const lines = filled.map(({ supplier, days, source }) => [supplier, days ?? '', source ?? ''].join(','));
    await tools.add_memory({ name: 'suppliers.csv', text: ['supplier,days,source', ...lines].join('\\n') });
    return filled;
  `,
});
console.table(result);
assert.deepEqual(
  result.map(({ days }) => days),
  [30, 45, null],
);
assert.ok(result[0].source !== result[1].source);
assert.equal(calls_total, 5);

// The file is a new version of the same memory, and a table as before.
const sql = 'SELECT COUNT(*), SUM(days) FROM suppliers WHERE days IS NOT NULL';
const { result: sums } = await call('run_tools', {
  code: `return (await tools.query_memory_tables({ sql: ${JSON.stringify(sql)} })).rows`,
});
assert.deepEqual(sums, [[2, 75]]);
await close();
