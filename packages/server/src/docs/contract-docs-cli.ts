#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '@atoll-mcp/core';
import type { ConfigDefinition } from '../config/config.ts';
import { describeContract } from './describe-contract.ts';
import { renderDocs } from './render-docs.ts';

// Run in a package's folder: writes contract.json and the tables of README.md, or with --check says what is stale.
const check = process.argv.includes('--check');
const door = (await import(pathToFileURL(resolve('dist/index.js')).href)) as {
  contract: Contract<unknown>;
  configDefinition?: ConfigDefinition;
};
if (!door.contract) throw new Error('dist/index.js exports no "contract"');
const description = describeContract(door.contract, door.configDefinition);
const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : '';
const files = {
  'contract.json': `${JSON.stringify(description, null, 2)}\n`,
  'README.md': renderDocs(readme, description),
};
const stale = Object.entries(files).filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
for (const [path, text] of stale) {
  if (check) console.error(`${path} is stale; run "pnpm run docs"`);
  else writeFileSync(path, text);
}
process.exitCode = check && stale.length > 0 ? 1 : 0;
