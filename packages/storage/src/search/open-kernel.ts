/** The part of the platform's WebAssembly that is used here; Node's types leave it to the browser's. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Starts a kernel of ours from its bytes; its caller knows what it exports. */
export function openKernel<Exports>(base64: string): Exports {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm };
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  return new WebAssembly.Instance(module).exports as Exports;
}
