import { SCAN_KERNEL } from './scan-kernel.generated.ts';

export interface ScanKernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Addresses in the kernel's memory; see scan-kernel.wat. */
  scan(rows: number, count: number, width: number, query: number, scales: number, out: number): void;
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
