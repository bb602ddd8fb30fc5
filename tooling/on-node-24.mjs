// node tooling/on-node-24.mjs script…: runs a script with Node 24, whatever runs this.
import { spawnSync } from 'node:child_process';
import { cachedNode } from './cache.mjs';

const { status } = spawnSync(cachedNode(24), process.argv.slice(2), { stdio: 'inherit' });
process.exit(status ?? 1);
