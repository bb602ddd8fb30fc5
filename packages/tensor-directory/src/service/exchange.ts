import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { bytesOf, countOf, shapeText, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { npyHeader } from '@atoll-mcp/formats/npy';
import { safetensorsFile } from '@atoll-mcp/formats/safetensors';
import type { Backends, FileLimit, TensorItem } from '../backends/interface.ts';
import { csvOfValues } from '../domain/formats/csv.ts';
import type { FoundTensors, LibraryFormat, TensorFormat } from '../domain/formats/format.ts';
import { formatOf } from '../domain/formats/formats.ts';
import { innerListsOf, nestedValues } from '../domain/values/values.ts';
import { exportRefused, importRefused } from '../errors.ts';
import { nameFrom } from './items.ts';
import { labelOf, type TensorReader } from './tensor-reader.ts';
import type { Limits, Tensors } from './tensors.ts';

export type ExportFormat = 'npy' | 'safetensors' | 'csv' | 'json';

/** Rows that are turned into text at once. */
const BLOCK_VALUES = 50_000;

/** Text is one string while it is read, and every number in it a part of that. */
const MAX_TEXT_BYTES = 128 << 20;
/** Node reads no more at once. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** Each becomes a file and a record; more of them would keep a caller waiting for minutes. */
const AS_PAIRS = ' (complex numbers: the last axis holds real and imaginary parts)';
const MAX_TENSORS = 10_000;
/** What a file may hold beside its values. */
const MAX_HEADERS_BYTES = 1_000_000;
/** Text up to this size is read in this process; to start another would take longer. */
const SMALL_TEXT_BYTES = 1_000_000;

/** Lists without a value in them that are written out; they take room that no limit on bytes of values sees. */
const MAX_EMPTY_LISTS = 1_000_000;

/** Tensors in and out of files that other programs read and write. */
export class Exchange {
  readonly #backends: Backends;
  readonly #tensors: Tensors;
  readonly #reader: TensorReader;
  readonly #limits: Limits;

  constructor(parts: { backends: Backends; tensors: Tensors; reader: TensorReader; limits: Limits }) {
    this.#backends = parts.backends;
    this.#tensors = parts.tensors;
    this.#reader = parts.reader;
    this.#limits = parts.limits;
  }

  /** All tensors of a file, or none when one of them can't be stored. */
  async import(
    {
      path,
      name,
      description,
    }: {
      path: string;
      name?: string | undefined;
      description?: string | undefined;
    },
    signal?: AbortSignal,
  ): Promise<{ items: TensorItem[]; skipped: readonly string[]; complex: readonly string[] }> {
    const { maxTensorBytes } = this.#limits;
    const {
      file,
      found,
      skipped = [],
    } = await this.#read(path, signal).catch((error: unknown) => {
      throw error instanceof FormatError ? importRefused(path, error.message, error) : error;
    });
    if (found.length > MAX_TENSORS)
      throw importRefused(
        path,
        `it holds ${found.length} tensors, and at most ${MAX_TENSORS} are imported from one file; split it into several`,
      );
    for (const { tensor } of found) {
      if (bytesOf(tensor.dtype, tensor.shape) > maxTensorBytes)
        throw importRefused(path, `a tensor in it takes more than the allowed ${maxTensorBytes} bytes`);
    }
    const base = name === undefined ? file.fileName.slice(0, -extname(file.fileName).length) : nameFrom(name, 'name');
    const lineage = { file: file.fileName, importId: randomUUID(), inputs: {} };
    const names = distinct(found.map(({ key }) => (key === undefined ? base : `${base}.${key}`)));
    const items = await this.#tensors.add(
      found.map(({ tensor }, index) => ({
        name: names[index]!,
        description: `${description ?? `Imported from ${file.fileName}`}${tensor.isComplex ? AS_PAIRS : ''}`,
        tensor,
        lineage,
      })),
    );
    const complex = items.flatMap(({ name: each }, index) => (found[index]!.tensor.isComplex ? [each] : []));
    return { items, skipped, complex };
  }

  async #read(path: string, signal: AbortSignal | undefined) {
    const { files, parser } = this.#backends;
    const maxBytes = this.#limits.maxTensorBytes;
    const extension = extname(path);
    const format = formatOf(extension);
    const limit = fileLimit(format, maxBytes);
    const located = await files.locate(path, limit);
    const isText = typeof format !== 'string' && format.isText;
    if (typeof format !== 'string' && (format.isPlain || (isText && located.sizeBytes <= SMALL_TEXT_BYTES))) {
      const file = await files.read(path, limit);
      return { file, ...found(format.read(file.bytes, { maxBytes })) };
    }
    // A cell takes at least one character, and its number eight bytes.
    const most = isText ? Math.min(maxBytes, 8 * (located.sizeBytes + 1)) : maxBytes;
    return { file: located, ...found(await parser.parse({ ...located, extension, maxBytes: most }, signal)) };
  }

  async export(item: TensorItem, format: ExportFormat, signal?: AbortSignal) {
    const { shape } = item.values;
    if (format === 'csv' && shape.length > 2) {
      throw exportRefused(
        item.name,
        `CSV holds at most two dimensions and it has ${shape.length}; choose npy, safetensors or json`,
      );
    }
    if ((format === 'csv' || format === 'json') && countOf(shape) === 0 && innerListsOf(shape) > MAX_EMPTY_LISTS) {
      throw exportRefused(
        item.name,
        `the shape ${shapeText(shape)} holds no values, and as text at most ${MAX_EMPTY_LISTS} empty lists are written; choose npy or safetensors`,
      );
    }
    const fileName = `${safeName(item.name)}-${item.uuid.slice(0, 8)}.${format}`;
    return this.#backends.files.write(fileName, this.#content(item, format), signal);
  }

  #content(item: TensorItem, format: ExportFormat): AsyncIterable<Uint8Array> {
    if (format === 'npy') return this.#backends.values.stream(item.values, labelOf(item));
    if (format === 'safetensors') return this.#safetensors(item);
    return format === 'json' ? this.#json(item) : this.#csv(item);
  }

  async *#safetensors(item: TensorItem): AsyncGenerator<Uint8Array> {
    const { dtype, shape } = item.values;
    let skip = npyHeader(dtype, shape).byteLength;
    const empty = { dtype, shape, data: { byteLength: bytesOf(dtype, shape) } as Uint8Array };
    yield safetensorsFile(item.name, empty, { description: item.description })[0]!;
    for await (const piece of this.#backends.values.stream(item.values, labelOf(item))) {
      yield piece.subarray(Math.min(skip, piece.byteLength));
      skip = Math.max(0, skip - piece.byteLength);
    }
  }

  async *#json(item: TensorItem): AsyncGenerator<Uint8Array> {
    if (item.values.shape.length === 0) {
      yield Buffer.from(`${JSON.stringify(nestedValues(await this.#rows(item, 0, 1)))}\n`);
      return;
    }
    let opened = false;
    for await (const rows of this.#blocks(item)) {
      const text = JSON.stringify(nestedValues(rows)).slice(1, -1);
      yield Buffer.from(`${opened ? ',' : '['}${text}`);
      opened = true;
    }
    yield Buffer.from(opened ? ']\n' : '[]\n');
  }

  async *#csv(item: TensorItem): AsyncGenerator<Uint8Array> {
    const dimensions = item.values.shape.length;
    if (dimensions === 0) yield Buffer.from(csvOfValues(nestedValues(await this.#rows(item, 0, 1)), 0));
    else for await (const rows of this.#blocks(item)) yield Buffer.from(csvOfValues(nestedValues(rows), dimensions));
  }

  async *#blocks(item: TensorItem): AsyncGenerator<Tensor> {
    const [rows, ...inner] = item.values.shape as [number, ...number[]];
    const step = Math.max(1, Math.floor(BLOCK_VALUES / Math.max(1, countOf(inner))));
    for (let from = 0; from < rows; from += step) yield this.#rows(item, from, Math.min(step, rows - from));
  }

  #rows(item: TensorItem, start: number, count: number): Promise<Tensor> {
    const picks = this.#reader.picks(item, undefined);
    return this.#reader.part(
      item,
      picks.map((axis, i) => (i === 0 ? { ...axis, start, count } : axis)),
    );
  }
}

const found = ({ tensors, skipped }: FoundTensors) => ({ found: tensors, skipped });

function fileLimit(format: TensorFormat | LibraryFormat, maxTensorBytes: number): FileLimit {
  if (typeof format === 'string' || !format.isText)
    return { maxBytes: Math.min(maxTensorBytes + MAX_HEADERS_BYTES, MAX_FILE_BYTES) };
  // Text takes more room than the numbers it stands for.
  return { maxBytes: Math.min(maxTensorBytes * 4, MAX_TEXT_BYTES), instead: 'save the numbers as .npy' };
}

/** Two tensors of one file are never versions of each other: a name that is taken gets the next free number. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const given = new Map<string, number>();
  return names.map((name) => {
    const count = given.get(name);
    if (count === undefined) {
      given.set(name, 1);
      return name;
    }
    let next = count + 1;
    while (taken.has(`${name} (${next})`)) next += 1;
    given.set(name, next);
    taken.add(`${name} (${next})`);
    return `${name} (${next})`;
  });
}

/** A name that is a plain file name everywhere. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, 80);
  return plain === '' ? 'tensor' : plain;
}
