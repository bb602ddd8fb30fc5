// Put somebody else's server and one of ours behind one endpoint.
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
};
writeFileSync(config, JSON.stringify({ servers: { 'tensor-directory': {} }, mcpServers: { tides } }));

const { client, call, close } = await connect('aggregator', { flags: ['--config', config] });
const { tools } = await client.listTools();
console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
const answer = await call('tides_next_tide', { harbour: 'Visby' });
assert.equal(answer.content[0].text, 'High tide at Visby: 14:20');
console.log(answer.content[0].text);
await close();
