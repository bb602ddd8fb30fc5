import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { type ReadLimits, UnreadableFile } from '../domain/document.ts';

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly expandedBytes: number;
  readonly offset: number;
}

const MEBIBYTE = 2 ** 20;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;

const broken = () => new UnreadableFile('It is broken: its archive cannot be read');
const bomb = () =>
  new UnreadableFile('It expands to far more than a document of its size would, so it was not unpacked (zip bomb)');

/** Reads parts of a zip archive without trusting what it says of their size. */
export class ZipFile {
  private readonly path: string;
  private readonly fd: number;
  private readonly limits: ReadLimits;
  private readonly entries = new Map<string, Entry>();
  private expanded = 0;

  constructor(path: string, limits: ReadLimits) {
    this.path = path;
    this.limits = limits;
    this.fd = openSync(path, 'r');
    try {
      this.readDirectory();
    } catch (error) {
      closeSync(this.fd);
      throw error instanceof UnreadableFile ? error : broken();
    }
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  sizeOf(name: string): number {
    return this.entries.get(name)?.expandedBytes ?? 0;
  }

  /** A whole part as text, or undefined when there is none of that name. */
  text(name: string): string | undefined {
    return this.bytes(name)?.toString('utf8');
  }

  bytes(name: string): Buffer | undefined {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const packed = this.read(this.dataOffset(entry), entry.packedBytes);
    if (entry.method === 0) return packed;
    const bytes = inflate(packed, Math.min(entry.expandedBytes, this.limits.maxExpandedBytes));
    this.count(bytes.length);
    return bytes;
  }

  /** A part piece by piece, as text. */
  async *pieces(name: string): AsyncGenerator<string> {
    const entry = this.entries.get(name);
    if (!entry || entry.packedBytes === 0) return;
    const start = this.dataOffset(entry);
    const source = createReadStream(this.path, {
      start,
      end: start + entry.packedBytes - 1,
      highWaterMark: 256 * 1024,
    });
    const stream = entry.method === 0 ? source : source.pipe(createInflateRaw({ chunkSize: 256 * 1024 }));
    if (stream !== source) source.on('error', (error) => stream.destroy(error));
    const decoder = new TextDecoder();
    let bytes = 0;
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (bytes > entry.expandedBytes) throw bomb();
        this.count(piece.length);
        yield decoder.decode(piece, { stream: true });
      }
    } catch (error) {
      throw error instanceof UnreadableFile ? error : broken();
    } finally {
      source.destroy();
    }
    yield decoder.decode();
  }

  close(): void {
    closeSync(this.fd);
  }

  private count(bytes: number): void {
    this.expanded += bytes;
    if (this.expanded > this.limits.maxExpandedBytes) throw bomb();
  }

  private readDirectory(): void {
    const { size } = fstatSync(this.fd);
    const tail = this.read(Math.max(0, size - 66_000), Math.min(size, 66_000));
    const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    if (at < 0 || tail.readUInt32LE(at) !== END) throw broken();
    let length = tail.readUInt32LE(at + 12);
    let offset = tail.readUInt32LE(at + 16);
    if (at >= 20 && tail.readUInt32LE(at - 20) === LOCATOR_64) {
      const end = this.read(Number(tail.readBigUInt64LE(at - 12)), 56);
      if (end.readUInt32LE(0) !== END_64) throw broken();
      length = Number(end.readBigUInt64LE(40));
      offset = Number(end.readBigUInt64LE(48));
    }
    if (length > 64 * MEBIBYTE) throw bomb();
    const directory = this.read(offset, length);
    for (let next = 0; next + 46 <= directory.length; ) next = this.readEntry(directory, next);
    this.refuseBombs();
  }

  private readEntry(directory: Buffer, at: number): number {
    if (directory.readUInt32LE(at) !== CENTRAL) throw broken();
    if (directory.readUInt16LE(at + 8) & 1) {
      throw new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
    }
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const sizes = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)];
    const [expandedBytes, packedBytes, offset] = widen(sizes, directory.subarray(nameEnd, extraEnd));
    const name = directory.toString('utf8', at + 46, nameEnd).replaceAll('\\', '/');
    const method = directory.readUInt16LE(at + 10);
    this.entries.set(name, { name, method, packedBytes: packedBytes!, expandedBytes: expandedBytes!, offset: offset! });
    return extraEnd + directory.readUInt16LE(at + 32);
  }

  private refuseBombs(): void {
    let total = 0;
    for (const entry of this.entries.values()) {
      total += entry.expandedBytes;
      const ratio = entry.expandedBytes / Math.max(1, entry.packedBytes);
      if (entry.expandedBytes > MEBIBYTE && ratio > this.limits.maxExpansionRatio) throw bomb();
    }
    if (total > this.limits.maxExpandedBytes) throw bomb();
  }

  private dataOffset(entry: Entry): number {
    if (entry.method !== 0 && entry.method !== 8)
      throw new UnreadableFile('It is packed in a way that is not read here');
    const header = this.read(entry.offset, 30);
    return entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  }

  private read(offset: number, length: number): Buffer {
    const buffer = Buffer.alloc(length);
    if (readSync(this.fd, buffer, 0, length, offset) !== length) throw broken();
    return buffer;
  }
}

function inflate(packed: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxOutputLength) });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? bomb() : broken();
  }
}

/** Sizes over four gigabytes stand in an extra field, in the order of those that did not fit. */
function widen(sizes: readonly number[], extra: Buffer): number[] {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return sizes.map((size) => {
    if (size !== 0xffffffff || at + 8 > extra.length) return size;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  });
}
