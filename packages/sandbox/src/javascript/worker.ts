import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { DEFAULT_MEMORY_BYTES } from '../limits.ts';
import { serve, wasm } from '../thread-side.ts';
import { type JavaScriptRequest, Machine } from './machine.ts';

// Node has it, the types of this project's library don't.
declare const WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => object };

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 256;

/** QuickJS's own limit does not see array buffers; only the maximum of the WebAssembly memory holds for everything. */
function load(memoryBytes: number) {
  const maximum = Math.max(FIRST_PAGES, Math.floor(memoryBytes / PAGE_BYTES));
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule: wasm, wasmMemory }));
}

const usual = await load(DEFAULT_MEMORY_BYTES);
let machine: Machine | undefined;

serve<JavaScriptRequest>(async (request) => {
  if (request.op !== 'begin') return machine!.handle(request);
  const { memoryBytes } = request.options;
  machine?.dispose();
  machine = new Machine(memoryBytes === DEFAULT_MEMORY_BYTES ? usual : await load(memoryBytes), request.options);
  return { answer: {} };
});
