const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;

/** Rewrites a WebAssembly module so that its memory can't grow beyond a number of pages of 64 KiB. */
export function capMemory(wasm: Uint8Array, maxPages: number): Uint8Array {
  let at = HEADER_BYTES;
  while (at < wasm.length) {
    const start = at;
    const id = wasm[at++];
    const size = readNumber();
    const end = at + size;
    if (id === MEMORY_SECTION) {
      at += 2; // the number of memories, always one, and its flags
      const section = [1, 1, ...encode(readNumber()), ...encode(maxPages)];
      return Buffer.concat([
        wasm.subarray(0, start),
        Buffer.from([id, ...encode(section.length), ...section]),
        wasm.subarray(end),
      ]);
    }
    at = end;
  }
  throw new Error('The module defines no memory');

  function readNumber(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value |= (byte & 127) << shift;
      if (!(byte & 128)) return value >>> 0;
    }
  }
}

/** Numbers in WebAssembly are written seven bits at a time, the lowest first. */
function encode(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encode(value >>> 7)];
}
