// What does the server say on a machine that has no Msty Studio? The truth, with what to do next.
import assert from 'node:assert/strict';
import { connect, newFolder } from './_atoll.mjs';

const { call, close } = await connect('msty-admin', { env: { HOME: newFolder() } });
const health = await call('analyse_msty_health');
assert.match(JSON.stringify(health), /critical/);
console.log(JSON.stringify(health, null, 2).slice(0, 1200));
await close();
