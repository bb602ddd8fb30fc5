import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

let loaded: Promise<Pdfium> | undefined;

/** The engine, loaded once; the file it comes from is part of its package. */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= start();
  return loaded;
}

/** An engine that failed in a way of its own is not used for the next file. */
export function dropPdfium(): void {
  loaded = undefined;
}

async function start(): Promise<Pdfium> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  const module = await init({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer,
  });
  module.PDFiumExt_Init();
  return new Pdfium(module);
}

/** PDFium with the few things that every caller needs: memory, numbers and texts behind pointers. */
export class Pdfium {
  readonly api: WrappedPdfiumModule;
  readonly #scratch: number;

  constructor(api: WrappedPdfiumModule) {
    this.api = api;
    this.#scratch = api.pdfium.wasmExports.malloc(64);
  }

  /** Copies bytes into the engine's memory; the caller frees them. */
  copyIn(bytes: Uint8Array): number {
    const pointer = this.api.pdfium.wasmExports.malloc(bytes.length);
    if (pointer === 0) throw new RangeError('array too large for the PDF engine');
    this.api.pdfium.HEAPU8.set(bytes, pointer);
    return pointer;
  }

  free(pointer: number): void {
    this.api.pdfium.wasmExports.free(pointer);
  }

  /** Calls a function that writes numbers of eight bytes behind pointers. */
  doubles(count: number, call: (...pointers: number[]) => unknown): number[] | undefined {
    const pointers = Array.from({ length: count }, (_, at) => this.#scratch + at * 8);
    if (!call(...pointers)) return undefined;
    const view = new DataView(this.api.pdfium.HEAPU8.buffer, this.#scratch, count * 8);
    return pointers.map((_, at) => view.getFloat64(at * 8, true));
  }

  floats(count: number, call: (...pointers: number[]) => unknown): number[] | undefined {
    const pointers = Array.from({ length: count }, (_, at) => this.#scratch + at * 4);
    if (!call(...pointers)) return undefined;
    const view = new DataView(this.api.pdfium.HEAPU8.buffer, this.#scratch, count * 4);
    return pointers.map((_, at) => view.getFloat32(at * 4, true));
  }

  integers(count: number, call: (...pointers: number[]) => unknown): number[] | undefined {
    const pointers = Array.from({ length: count }, (_, at) => this.#scratch + at * 4);
    if (!call(...pointers)) return undefined;
    const view = new DataView(this.api.pdfium.HEAPU8.buffer, this.#scratch, count * 4);
    return pointers.map((_, at) => view.getInt32(at * 4, true));
  }

  /** Calls a function that gives the length of a wide text, and with room for it the text itself. */
  text(call: (pointer: number, bytes: number) => number): string {
    const bytes = Math.min(call(0, 0), 1_000_000);
    if (bytes <= 2) return '';
    const pointer = this.api.pdfium.wasmExports.malloc(bytes);
    try {
      call(pointer, bytes);
      return this.api.pdfium.UTF16ToString(pointer);
    } finally {
      this.free(pointer);
    }
  }
}
