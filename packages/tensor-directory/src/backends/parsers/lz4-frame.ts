const MAGIC = 0x184d2204;
const STORED = 0x80000000;

/** What an LZ4 frame holds, which must be `length` bytes. Matches reach back into earlier blocks. */
export function decodeLz4Frame(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new Error('Not an LZ4 frame');
  const flags = view.getUint8(4);
  const [hasBlockChecksums, hasSize, hasDictionary] = [flags & 0x10, flags & 0x08, flags & 0x01];
  const out = new Uint8Array(length);
  let to = 0;
  for (let at = 7 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0); ; ) {
    const mark = view.getUint32(at, true);
    if (mark === 0) break;
    const size = mark & ~STORED;
    const block = frame.subarray(at + 4, at + 4 + size);
    if (block.byteLength !== size) throw new Error('The block ends early');
    if (mark >>> 31 === 0) to = decodeBlock(block, out, to);
    else {
      out.set(block, to);
      to += size;
    }
    at += 4 + size + (hasBlockChecksums ? 4 : 0);
  }
  if (to !== length) throw new Error('The frame has another length than it should');
  return out;
}

/** Appends a block at `to`; says where it ended. */
function decodeBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  let at = 0;
  let to = start;
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = block[at++] ?? 0;
    return length;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = lengthOf(token >> 4);
    if (at + literals > block.length || to + literals > out.length) throw new Error('The block is damaged');
    out.set(block.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at >= block.length) break;
    const offset = block[at]! | (block[at + 1]! << 8);
    at += 2;
    const end = to + lengthOf(token & 15) + 4;
    if (offset === 0 || offset > to || end > out.length) throw new Error('The block is damaged');
    // Byte by byte: a match may overlap what it is copied to.
    for (; to < end; to++) out[to] = out[to - offset]!;
  }
  return to;
}
