// Three tools instead of a hundred: the model looks for what it needs, reads how it is called, and calls it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, newFolder } from './_atoll.mjs';

const config = join(newFolder(), 'atoll.json');
writeFileSync(config, JSON.stringify({ mode: 'search', servers: { 'tensor-directory': {}, 'cortex-embeddings': {} } }));

const { client, call, close } = await connect('aggregator', { flags: ['--config', config] });
const { tools } = await client.listTools();
console.log(`listed: ${tools.map(({ name }) => name).join(', ')}`);
const { tools: found } = await call('search_tools', { query: 'draw a picture of a tensor', limit: 3 });
console.log(`found: ${found.map(({ name }) => name).join(', ')}`);
assert.equal(found[0].name, 'plot_tensor');

await call('call_tool', {
  name: 'upload_tensor',
  arguments: { name: 'line', description: 'A ramp', tensor_data: [1, 2, 3] },
});
const { content } = await client.callTool({
  name: 'call_tool',
  arguments: { name: found[0].name, arguments: { name_or_uuid: 'line' } },
});
assert.ok(content.some(({ type }) => type === 'image'));
await close();
