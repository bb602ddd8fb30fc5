import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { InitSqlJsStatic } from 'sql.js';
import { DEFAULT_MEMORY_BYTES } from '../limits.ts';
import { serve } from '../thread-side.ts';
import { capMemory } from './cap-memory.ts';
import { type SqlRequest, Tables } from './tables.ts';

const PAGE_BYTES = 65_536;
const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'));

async function load(memoryBytes: number) {
  // sql.js caches its first instance; loaded again it makes another one, with its own memory.
  delete require.cache[require.resolve('sql.js')];
  const initSqlJs: InitSqlJsStatic = require('sql.js');
  const capped = capMemory(wasm, Math.floor(memoryBytes / PAGE_BYTES));
  return initSqlJs({ wasmBinary: capped.slice().buffer });
}

const usual = await load(DEFAULT_MEMORY_BYTES);
let tables: Tables | undefined;

serve<SqlRequest>(async (request) => {
  if (request.op !== 'begin') return { answer: tables!.handle(request) };
  const { memoryBytes } = request;
  tables = new Tables(memoryBytes === DEFAULT_MEMORY_BYTES ? usual : await load(memoryBytes));
  return { answer: {} };
});
