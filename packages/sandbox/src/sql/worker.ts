import { createRequire } from 'node:module';
import type { InitSqlJsStatic } from 'sql.js';
import { DEFAULT_MEMORY_BYTES } from '../limits.ts';
import { serve, wasm } from '../thread-side.ts';
import { compileSqlite, type WasmModule } from '../wasm.ts';
import { type SqlRequest, Tables } from './tables.ts';

// Node has it, the types of this project's library don't.
declare const WebAssembly: { Instance: new (module: WasmModule, imports: unknown) => { readonly exports: object } };

const require = createRequire(import.meta.url);

async function load(module: WasmModule) {
  // sql.js caches its first instance; loaded again it makes another one, with its own memory.
  delete require.cache[require.resolve('sql.js')];
  const initSqlJs: InitSqlJsStatic = require('sql.js');
  return initSqlJs({
    instantiateWasm(imports: unknown, done: (instance: object) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
}

const usual = await load(wasm);
let tables: Tables | undefined;

serve<SqlRequest>(async (request) => {
  if (request.op !== 'begin') return { answer: tables!.handle(request) };
  const { memoryBytes } = request;
  const sqlite = memoryBytes === DEFAULT_MEMORY_BYTES ? usual : await load(await compileSqlite(memoryBytes));
  tables = new Tables(sqlite);
  return { answer: {} };
});
