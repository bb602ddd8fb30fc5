// Join the data of three servers in one program: only the answer passes through the model, not the rows.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, newFolder } from './_atoll.mjs';

const config = join(newFolder(), 'atoll.json');
const tides = {
  command: process.execPath,
  args: [fileURLToPath(new URL('_tide-server.mjs', import.meta.url))],
  prefix: 'tides_',
  confirmWrites: 'allow', // its tool is not marked as read-only
};
const servers = { memorylake: {}, 'tensor-directory': {} };
writeFileSync(config, JSON.stringify({ mode: 'code', servers, mcpServers: { tides } }));
const { call, close } = await connect('aggregator', { flags: ['--config', config] });

// What a model reads before it writes the program: the types of the tools it found.
const { tools } = await call('describe_tool', { name: ['query_memory_tables', 'tides_next_tide'], as: 'typescript' });
console.log(tools[1].typescript);

const { result, calls } = await call('run_tools', {
  code: `
    const text = 'harbour,berths\\nVisby,120\\nSlite,80\\nKlintehamn,40\\n';
    await tools.add_memory({ name: 'harbours.csv', text });
    const { rows } = await tools.query_memory_tables({ sql: 'SELECT harbour, berths FROM harbours ORDER BY berths DESC' });
    const tides = await Promise.all(rows.map(([harbour]) => tools.tides_next_tide({ harbour })));
    await tools.upload_tensor({ name: 'berths', description: 'Berths by harbour', tensor_data: rows.map(([, berths]) => berths) });
    return rows.map(([harbour, berths], n) => ({ harbour, berths, tide: tides[n] }));
  `,
});
console.log(result);
assert.deepEqual(
  result.map(({ harbour }) => harbour),
  ['Visby', 'Slite', 'Klintehamn'],
);
assert.equal(result[0].tide, 'High tide at Visby: 14:20');
assert.equal(calls.filter(({ outcome }) => outcome === 'ok').length, 6);
await close();
