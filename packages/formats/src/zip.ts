import { inflateRawSync } from 'node:zlib';
import { FormatError } from './format-error.ts';

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const UNKNOWN_32 = 0xffffffff;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MAX_DIRECTORY_BYTES = 64 * 2 ** 20;

/** Where the bytes of an archive come from: memory or a file. `read` throws a `FormatError` where the archive ends early. */
export interface ByteSource {
  readonly size: number;
  read(offset: number, length: number): Buffer;
}

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  /** As the archive claims; what is unpacked is limited on its own. */
  readonly expandedBytes: number;
  readonly offset: number;
}

export const STORED = 0;
const DEFLATED = 8;

/** An archive in memory. Nothing is copied. */
export function inMemory(bytes: Uint8Array): ByteSource {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: all.length,
    read(offset, length) {
      if (offset < 0 || offset + length > all.length) throw damaged();
      return all.subarray(offset, offset + length);
    },
  };
}

/** The entries of a zip archive, with 64-bit sizes where it has them. Throws a `FormatError`. */
export function zipEntries(zip: ByteSource, { maxEntries = Number.POSITIVE_INFINITY } = {}): ZipEntry[] {
  const { count, offset, length } = endOfDirectory(zip);
  if (length > MAX_DIRECTORY_BYTES)
    throw new FormatError('its zip directory is larger than that of any usual archive', { problem: 'too-large' });
  const directory = zip.read(offset, length);
  const entries: ZipEntry[] = [];
  let at = 0;
  // The count has 16 bits and old writers let it overflow, so the end of the directory is what counts.
  while (at + 46 <= length && directory.readUInt32LE(at) === DIRECTORY_ENTRY) {
    if (entries.length === maxEntries)
      throw new FormatError(`it has more than ${maxEntries} entries`, { problem: 'too-large' });
    const { entry, end } = entryAt(directory, at);
    entries.push(entry);
    at = end;
  }
  if (entries.length < count) throw damaged();
  return entries;
}

function endOfDirectory(zip: ByteSource): { count: number; offset: number; length: number } {
  const start = Math.max(0, zip.size - END_BYTES - MAX_COMMENT_BYTES - 20);
  const tail = zip.read(start, zip.size - start);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_OF_DIRECTORY) continue;
    if (at >= 20 && tail.readUInt32LE(at - 20) === LOCATOR_64) {
      const wide = zip.read(safe(tail.readBigUInt64LE(at - 12)), 56);
      if (wide.readUInt32LE(0) !== END_OF_DIRECTORY_64) throw damaged();
      const [count, length, offset] = [32, 40, 48].map((field) => safe(wide.readBigUInt64LE(field)));
      return { count: count!, length: length!, offset: offset! };
    }
    const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    return { count: tail.readUInt16LE(at + 10), length, offset };
  }
  throw new FormatError('it is not a zip archive, or it is damaged');
}

function entryAt(directory: Buffer, at: number): { entry: ZipEntry; end: number } {
  const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
  const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
  if (extraEnd > directory.length) throw damaged();
  const name = directory.toString('utf8', at + 46, nameEnd);
  if (directory.readUInt16LE(at + 8) & 1) throw new FormatError('it is encrypted', { problem: 'encrypted' });
  // In this order the 64-bit field lists only those that did not fit into 32.
  const sizes = [at + 24, at + 20, at + 42].map((place) => directory.readUInt32LE(place));
  const [expandedBytes, packedBytes, offset] = widened(directory.subarray(nameEnd, extraEnd), sizes);
  const method = directory.readUInt16LE(at + 10);
  return {
    entry: { name, method, packedBytes: packedBytes!, expandedBytes: expandedBytes!, offset: offset! },
    end: extraEnd + directory.readUInt16LE(at + 32),
  };
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

/** Where the packed bytes of an entry begin. */
export function dataOffset(zip: ByteSource, { name, method, offset }: ZipEntry): number {
  if (method !== STORED && method !== DEFLATED)
    throw new FormatError(`its entry ${JSON.stringify(name)} is packed in an unknown way`, { problem: 'unsupported' });
  const header = zip.read(offset, 30);
  if (header.readUInt32LE(0) !== LOCAL_ENTRY) throw damagedEntry(name);
  return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** The content of an entry; not copied where the archive is in memory and stores it as it is. */
export function unzip(zip: ByteSource, entry: ZipEntry, maxBytes: number): Buffer {
  const { name, method, packedBytes, expandedBytes } = entry;
  if (expandedBytes > maxBytes) throw tooLarge(maxBytes);
  const start = dataOffset(zip, entry);
  if (start + packedBytes > zip.size) throw new FormatError(`its entry ${JSON.stringify(name)} ends early`);
  const packed = zip.read(start, packedBytes);
  if (method === STORED) return packed;
  try {
    // The declared size is only a claim; this bound is on what really comes out.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, expandedBytes) });
  } catch (cause) {
    const isLonger = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isLonger
      ? new FormatError(`its entry ${JSON.stringify(name)} is larger than it says`, { cause, problem: 'too-large' })
      : damagedEntry(name, cause);
  }
}

const damaged = () => new FormatError('its zip directory is damaged');
const damagedEntry = (name: string, cause?: unknown) =>
  new FormatError(`its entry ${JSON.stringify(name)} is damaged`, { cause });
const tooLarge = (maxBytes: number) =>
  new FormatError(`its contents take more than the allowed ${maxBytes} bytes`, { problem: 'too-large' });

function safe(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged();
  return Number(value);
}
