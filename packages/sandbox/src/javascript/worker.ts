import { workerData } from 'node:worker_threads';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { serve } from '../thread-side.ts';
import { type JavaScriptRequest, Machine, type MachineOptions } from './machine.ts';

// Node has it, the types of this project's library don't.
declare const WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => object };

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 256;
const options = workerData as MachineOptions;

// QuickJS's own limit does not see array buffers; only the maximum of the WebAssembly memory holds for everything.
const maximum = Math.max(FIRST_PAGES, Math.floor(options.memoryBytes / PAGE_BYTES));
const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
const machine = new Machine(await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory })), options);

serve<JavaScriptRequest>((request) => machine.handle(request));
