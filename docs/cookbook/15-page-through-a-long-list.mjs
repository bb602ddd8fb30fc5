// Page through a list of 5,000 in one program, and read on in an answer that is too large for a model.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, newFolder } from './_atoll.mjs';

const config = join(newFolder(), 'atoll.json');
writeFileSync(config, JSON.stringify({ mode: 'code', servers: { memorylake: {} } }));
const { client, call, close } = await connect('aggregator', { flags: ['--config', config] });
const lines = Array.from({ length: 5_000 }, (_, n) => `${n},item ${n},${(n * 7) % 100}`);
await call('add_memory', { name: 'stock.csv', text: `id,name,count\n${lines.join('\n')}\n` });

// Ten pages of five hundred rows stay in the sandbox.
const { result, calls, calls_total } = await call('run_tools', {
  code: `
    let empty = 0;
    for (let offset = 0; offset < 5000; offset += 500) {
      const sql = 'SELECT id, "count" FROM stock ORDER BY id LIMIT 500 OFFSET ' + offset;
      const { rows } = await tools.query_memory_tables({ sql, limit: 500 });
      empty += rows.filter(([, count]) => count === 0).length;
    }
    return { empty };
  `,
});
console.log(result, calls);
assert.deepEqual(result, { empty: 50 });
assert.equal(calls_total, 10);

// A value that is too large comes back as its head, its shape and an id to read on with.
const large = await call('run_tools', {
  code: `const sql = 'SELECT id, name, "count" FROM stock ORDER BY id';
    return (await tools.query_memory_tables({ sql, limit: 5000 })).rows.map(([id, name, count]) => ({ id, name, count }));`,
});
console.log(large.result.shape);
const { structuredContent: part } = await client.callTool({
  name: 'read_result',
  arguments: { id: large.result.result_id, range: '4998:' },
});
assert.deepEqual(
  part.value.map(({ name }) => name),
  ['item 4998', 'item 4999'],
);
await close();
