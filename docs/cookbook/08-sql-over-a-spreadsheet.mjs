// Ask a table in SQL. Each sheet of a workbook and each CSV file is a table.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { call, close } = await connect('memorylake');
const rows = ['month,berth,fee', '2025-01,B1,100', '2025-01,B2,80', '2025-02,B1,120', '2025-02,B2,90'];
const { result: added } = await call('add_memory', { name: 'berths.csv', text: rows.join('\n') });

// Any question lists the tables with their names and columns.
const { result: first } = await call('query_memory_tables', { sql: 'select 1' });
const { table } = first.tables.find(({ memory_id }) => memory_id === added.id);
const { result } = await call('query_memory_tables', {
  sql: `select berth, sum(fee) as total from "${table}" group by berth order by berth`,
});
assert.deepEqual(result.rows, [
  ['B1', 220],
  ['B2', 170],
]);
console.log(`${added.id} is table ${table}: ${JSON.stringify(result.rows)}`);
await close();
