/** Just enough protobuf to write a model. A message is a list of chunks, so large tensors are never copied. */
export type Chunks = Uint8Array[];

const key = (field: number, wireType: number) => varint(field * 8 + wireType);
export const integer = (field: number, value: number): Chunks => [key(field, 0), varint(value)];
export const bytes = (field: number, data: Uint8Array): Chunks => [key(field, 2), varint(data.length), data];
export const text = (field: number, value: string): Chunks => bytes(field, Buffer.from(value));

/** A number of 32 bits with a fraction. */
export function float(field: number, value: number): Chunks {
  const bits = Buffer.alloc(4);
  bits.writeFloatLE(value);
  return [key(field, 5), bits];
}

export function message(field: number, chunks: Chunks): Chunks {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return [key(field, 2), varint(length), ...chunks];
}

// Negative numbers (an axis of -1) are written as 64-bit two's complement.
function varint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest ? low | 128 : low);
  } while (rest);
  return Uint8Array.from(out);
}
