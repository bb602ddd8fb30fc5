import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import initSqlJs from 'sql.js';
import { serve } from '../thread-side.ts';
import { capMemory } from './cap-memory.ts';
import { type SqlRequest, Tables } from './tables.ts';

const PAGE_BYTES = 65_536;
const { memoryBytes } = workerData as { memoryBytes: number };

const wasm = readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
const capped = capMemory(wasm, Math.floor(memoryBytes / PAGE_BYTES));
const { Database } = await initSqlJs({ wasmBinary: capped.slice().buffer });
const tables = new Tables(new Database());

serve<SqlRequest>((request) => ({ answer: tables.handle(request) }));
