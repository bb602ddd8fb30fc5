#!/usr/bin/env node
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '@atoll-mcp/core';
import type { ConfigDefinition } from '../config/config.ts';
import { asJson, contractFiles } from './contract-files.ts';
import { describeContract } from './describe-contract.ts';
import { renderDocs } from './render-docs.ts';

// Run in a package's folder, after its build. Writes the snapshots in contract/ and the tables of README.md; with --check lists what
// is stale; with --whole it writes contract.json, which is packed for programs and not kept in git.
const built = (await import(pathToFileURL(resolve('dist/index.js')).href)) as {
  contract: Contract<unknown>;
  configDefinition?: ConfigDefinition;
};
if (!built.contract) throw new Error('dist/index.js exports no "contract"');
const description = describeContract(built.contract, built.configDefinition);

if (process.argv.includes('--whole')) writeFileSync('contract.json', asJson(description));
else if (process.argv.includes('--check')) checkFiles();
else writeFiles();

function generatedFiles(): Record<string, string> {
  const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : '';
  return { ...contractFiles(description), 'README.md': renderDocs(readme, description) };
}

function checkFiles(): void {
  const files = generatedFiles();
  const stale = Object.keys(files).filter((path) => !existsSync(path) || readFileSync(path, 'utf8') !== files[path]);
  const gone = snapshots().filter((path) => !Object.hasOwn(files, path));
  for (const path of [...stale, ...gone]) console.error(`${path} is stale; run "pnpm run docs"`);
  if (stale.length + gone.length > 0) process.exitCode = 1;
}

function writeFiles(): void {
  const files = generatedFiles();
  for (const path of snapshots()) if (!Object.hasOwn(files, path)) rmSync(path);
  mkdirSync('contract', { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
}

function snapshots(): string[] {
  return existsSync('contract') ? readdirSync('contract').map((name) => join('contract', name)) : [];
}
