import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DEFAULT_MEMORY_BYTES } from './limits.ts';
import { capMemory } from './sql/cap-memory.ts';

/** Compiled code without any state, which threads can share. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

// Node has it, the types of this project's library don't.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> };

const PAGE_BYTES = 65_536;
const require = createRequire(import.meta.url);

/**
 * The interpreter that all threads of this program share. V8 keeps what it optimises with the module, so a new thread runs
 * fast code at once; compiled in each thread, every session would pay for that again.
 */
export const quickjsModule = once(async () => {
  const ofQuickjs = createRequire(require.resolve('quickjs-emscripten'));
  return WebAssembly.compile(await readFile(ofQuickjs.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
});
export const sqliteModule = once(() => compileSqlite(DEFAULT_MEMORY_BYTES));

/** How much memory SQLite may have is part of its module. */
export async function compileSqlite(memoryBytes: number): Promise<WasmModule> {
  const file = await readFile(require.resolve('sql.js/dist/sql-wasm.wasm'));
  return WebAssembly.compile(capMemory(file, Math.floor(memoryBytes / PAGE_BYTES)));
}

/** What failed is tried again by the next call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
