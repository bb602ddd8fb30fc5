import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { createInflateRaw } from 'node:zlib';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { type ByteSource, dataOffset, STORED, unzip, type ZipEntry, zipEntries } from '@atoll-mcp/formats/zip';
import { type ReadLimits, UnreadableFile } from '../domain/document.ts';

const MEBIBYTE = 2 ** 20;
const PIECE_BYTES = 256 * 1024;

const broken = () => new UnreadableFile('It is broken: its archive cannot be read');
const bomb = () =>
  new UnreadableFile('It expands to far more than a document of its size would, so it was not unpacked (zip bomb)');

/** Reads parts of a zip archive without trusting the sizes it declares. */
export class ZipFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #source: ByteSource;
  readonly #limits: ReadLimits;
  readonly #entries = new Map<string, ZipEntry>();
  #expandedBytes = 0;

  constructor(path: string, limits: ReadLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#fd = openSync(path, 'r');
    try {
      this.#source = fileSource(this.#fd);
      for (const entry of zipEntries(this.#source)) this.#entries.set(entry.name.replaceAll('\\', '/'), entry);
      this.#refuseBombs();
    } catch (error) {
      closeSync(this.#fd);
      throw asUnreadable(error);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  sizeOf(name: string): number {
    return this.#entries.get(name)?.expandedBytes ?? 0;
  }

  /** A part as text; undefined if it does not exist. */
  text(name: string): string | undefined {
    return this.bytes(name)?.toString('utf8');
  }

  bytes(name: string): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    try {
      const bytes = unzip(this.#source, entry, this.#limits.maxExpandedBytes);
      if (entry.method !== STORED) this.#count(bytes.length);
      return bytes;
    } catch (error) {
      throw asUnreadable(error);
    }
  }

  /** A part piece by piece, as text. */
  async *pieces(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (!entry || entry.packedBytes === 0) return;
    const decoder = new TextDecoder();
    let bytes = 0;
    try {
      for await (const piece of this.#stream(entry)) {
        bytes += piece.length;
        if (bytes > entry.expandedBytes) throw bomb();
        this.#count(piece.length);
        yield decoder.decode(piece, { stream: true });
      }
    } catch (error) {
      throw asUnreadable(error);
    }
    yield decoder.decode();
  }

  close(): void {
    closeSync(this.#fd);
  }

  async *#stream(entry: ZipEntry): AsyncGenerator<Buffer> {
    const start = dataOffset(this.#source, entry);
    const end = start + entry.packedBytes - 1;
    const source = createReadStream(this.#path, { start, end, highWaterMark: PIECE_BYTES });
    const stream = entry.method === STORED ? source : source.pipe(createInflateRaw({ chunkSize: PIECE_BYTES }));
    if (stream !== source) source.on('error', (error) => stream.destroy(error));
    try {
      yield* stream as AsyncIterable<Buffer>;
    } finally {
      source.destroy();
    }
  }

  #count(bytes: number): void {
    this.#expandedBytes += bytes;
    if (this.#expandedBytes > this.#limits.maxExpandedBytes) throw bomb();
  }

  #refuseBombs(): void {
    let total = 0;
    for (const { expandedBytes, packedBytes } of this.#entries.values()) {
      total += expandedBytes;
      const ratio = expandedBytes / Math.max(1, packedBytes);
      if (expandedBytes > MEBIBYTE && ratio > this.#limits.maxExpansionRatio) throw bomb();
    }
    if (total > this.#limits.maxExpandedBytes) throw bomb();
  }
}

function fileSource(fd: number): ByteSource {
  return {
    size: fstatSync(fd).size,
    read(offset, length) {
      const buffer = Buffer.alloc(length);
      if (readSync(fd, buffer, 0, length, offset) !== length) throw broken();
      return buffer;
    },
  };
}

function asUnreadable(error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  const problem = error instanceof FormatError ? error.problem : 'damaged';
  if (problem === 'too-large') return bomb();
  if (problem === 'encrypted')
    return new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  return problem === 'unsupported' ? new UnreadableFile('It is packed in a way that is not read here') : broken();
}
