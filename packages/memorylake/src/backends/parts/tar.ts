import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { type ReadLimits, UnreadableFile } from '../../domain/document.ts';
import { archiveOf } from '../../domain/formats/archive.ts';
import type { FilePart, FileToRead } from '../interface.ts';

const BLOCK = 512;
const MEBIBYTE = 2 ** 20;
const FILE_TYPES = new Set(['0', '\0', '7']);
const LONG_NAME = 'L';
const EXTENDED = 'x';
const broken = () => new UnreadableFile('It is broken: the archive ends in the middle of a file');

/** The files of a tar archive, packed by gzip or not. A gzip file that holds no tar archive is one file. */
export async function* tarParts(
  { path, name }: FileToRead,
  kind: 'tar' | 'gzip',
  limits: ReadLimits,
): AsyncGenerator<FilePart> {
  const source = createReadStream(path);
  const input = new Input(kind === 'gzip' ? source.pipe(createGunzip()) : source, source, limits);
  try {
    const first = await input.take(BLOCK, true);
    if (archiveOf(first) !== 'tar') {
      if (kind === 'tar') throw broken();
      const rest = await input.rest();
      yield { name: name.replace(/^.*\//, '').replace(/\.t?gz$/i, '') || name, bytes: Buffer.concat([first, rest]) };
      return;
    }
    yield* entries(first, input, limits);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('It is broken: its archive cannot be read');
  } finally {
    source.destroy();
  }
}

async function* entries(first: Buffer, input: Input, limits: ReadLimits): AsyncGenerator<FilePart> {
  let longName: string | undefined;
  for (let header = first; header.length === BLOCK && header[0] !== 0; header = await input.take(BLOCK, true)) {
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) throw broken();
    const type = String.fromCharCode(header[156]!);
    const own = [text(header, 345, 155), text(header, 0, 100)].filter((part) => part !== '').join('/');
    if (size > limits.maxFileBytes) throw new UnreadableFile(`"${longName ?? own}" in it is larger than may be read`);
    const bytes = await input.take(size);
    await input.take((BLOCK - (size % BLOCK)) % BLOCK);
    if (type === LONG_NAME) longName = text(bytes, 0, bytes.length);
    else if (type === EXTENDED) longName = /^\d+ path=(.*)$/m.exec(bytes.toString('utf8'))?.[1] ?? longName;
    else {
      if (FILE_TYPES.has(type)) yield { name: longName ?? own, bytes };
      longName = undefined;
    }
  }
}

const text = (bytes: Buffer, from: number, length: number): string =>
  bytes.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '');

/** Bytes of a stream in pieces of the wanted size; refuses what expands beyond reason. */
class Input {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #source: { readonly bytesRead: number };
  readonly #limits: ReadLimits;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #total = 0;

  constructor(stream: AsyncIterable<Buffer>, source: { readonly bytesRead: number }, limits: ReadLimits) {
    this.#pieces = stream[Symbol.asyncIterator]();
    this.#source = source;
    this.#limits = limits;
  }

  async take(length: number, mayEnd = false): Promise<Buffer> {
    while (this.#heldBytes < length && (await this.#pull()));
    if (this.#heldBytes < length && !mayEnd) throw broken();
    const all = Buffer.concat(this.#held);
    this.#held = [all.subarray(length)];
    this.#heldBytes = Math.max(0, all.length - length);
    return all.subarray(0, length);
  }

  async rest(): Promise<Buffer> {
    while (await this.#pull()) {
      if (this.#heldBytes > this.#limits.maxFileBytes)
        throw new UnreadableFile('The file in it is larger than may be read');
    }
    return this.take(this.#heldBytes);
  }

  async #pull(): Promise<boolean> {
    const { value, done } = await this.#pieces.next();
    if (done) return false;
    this.#held.push(value);
    this.#heldBytes += value.length;
    this.#total += value.length;
    const ratio = this.#total / Math.max(1, this.#source.bytesRead);
    const isBomb = this.#total > MEBIBYTE && ratio > this.#limits.maxExpansionRatio;
    if (isBomb || this.#total > this.#limits.maxExpandedBytes) {
      throw new UnreadableFile('It expands to far more than a document of its size would, so it was not unpacked');
    }
    return true;
  }
}
