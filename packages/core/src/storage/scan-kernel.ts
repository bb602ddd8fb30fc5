import { SCAN_KERNEL } from './scan-kernel.generated.ts';

/** All arguments but counts are addresses in the kernel's memory; scan-kernel.wat says what lies there. */
export interface ScanKernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  sums(sketches: number, groups: number, steps: number, tables: number, out: number): void;
  dots(addresses: number, count: number, width: number, query: number, out: number): void;
}

/** The part of the platform's WebAssembly that is used here; Node's types leave it to the browser's. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
}

export function openScanKernel(): ScanKernel {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm };
  const module = new WebAssembly.Module(Buffer.from(SCAN_KERNEL, 'base64'));
  // The module is ours: these are its exports.
  return new WebAssembly.Instance(module).exports as ScanKernel;
}
