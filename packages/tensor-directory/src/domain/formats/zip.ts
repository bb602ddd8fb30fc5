import { inflateRawSync } from 'node:zlib';
import { FileFault } from './file-fault.ts';

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const UNKNOWN_32 = 0xffffffff;
const MAX_ENTRIES = 100_000;

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The entries of a zip file that is stored or deflated. */
export function zipEntries(zip: Buffer): ZipEntry[] {
  const { count, offset } = endOfDirectory(zip);
  if (count > MAX_ENTRIES) throw new FileFault('it has more entries than any archive of arrays');
  const entries: ZipEntry[] = [];
  let at = offset;
  for (let i = 0; i < count; i++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new FileFault('its zip directory is damaged');
    const nameLength = zip.readUInt16LE(at + 28);
    const extraLength = zip.readUInt16LE(at + 30);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = zip.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    if (zip.readUInt16LE(at + 8) & 1) throw new FileFault('it is encrypted');
    // In this order the 64-bit field lists only those that did not fit into 32.
    const [size, packed, start] = widened(
      extra,
      [at + 24, at + 20, at + 42].map((place) => zip.readUInt32LE(place)),
    );
    entries.push({ name, method: zip.readUInt16LE(at + 10), packed: packed!, size: size!, offset: start! });
    at += 46 + nameLength + extraLength + zip.readUInt16LE(at + 32);
  }
  return entries;
}

function endOfDirectory(zip: Buffer): { count: number; offset: number } {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 65_535); at--) {
    if (zip.readUInt32LE(at) !== END_OF_DIRECTORY) continue;
    const offset = zip.readUInt32LE(at + 16);
    if (offset !== UNKNOWN_32) return { count: zip.readUInt16LE(at + 10), offset };
    const wide = at >= 20 ? safe(zip.readBigUInt64LE(at - 12)) : -1;
    if (wide < 0 || wide + 56 > zip.length || zip.readUInt32LE(wide) !== END_OF_DIRECTORY_64) break;
    return { count: safe(zip.readBigUInt64LE(wide + 32)), offset: safe(zip.readBigUInt64LE(wide + 48)) };
  }
  throw new FileFault('it is not a zip file, or it is damaged');
}

function widened(extra: Buffer, fields: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return fields.map((field) => {
      if (field !== UNKNOWN_32 || next + 8 > extra.length) return field;
      next += 8;
      return safe(extra.readBigUInt64LE(next - 8));
    });
  }
  return [...fields];
}

/** The content of an entry, not copied where it is stored as it is. */
export function unzip(zip: Buffer, entry: ZipEntry, maxBytes: number): Uint8Array {
  if (entry.size > maxBytes) throw tooLarge(maxBytes);
  if (entry.offset + 30 > zip.length || zip.readUInt32LE(entry.offset) !== LOCAL_ENTRY) {
    throw new FileFault(`its entry ${JSON.stringify(entry.name)} is damaged`);
  }
  const start = entry.offset + 30 + zip.readUInt16LE(entry.offset + 26) + zip.readUInt16LE(entry.offset + 28);
  const packed = zip.subarray(start, start + entry.packed);
  if (packed.byteLength !== entry.packed) throw new FileFault(`its entry ${JSON.stringify(entry.name)} ends early`);
  if (entry.method === 0) return packed;
  if (entry.method !== 8) throw new FileFault(`its entry ${JSON.stringify(entry.name)} is packed in an unknown way`);
  try {
    // The declared size is only a claim; this bound is on what really comes out.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, Math.min(entry.size, maxBytes)) });
  } catch (cause) {
    throw new FileFault(`its entry ${JSON.stringify(entry.name)} is damaged`, { cause });
  }
}

function tooLarge(maxBytes: number): FileFault {
  return new FileFault(`its arrays take more than the allowed ${maxBytes} bytes`);
}

function safe(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new FileFault('its zip directory is damaged');
  return Number(value);
}
