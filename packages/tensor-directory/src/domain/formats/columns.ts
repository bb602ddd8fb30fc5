import { countOf, type Dtype, FACTS, type NamedTensor, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { numberToHalf } from '@atoll-mcp/formats/narrow-floats';
import { allocate, asBytes, type Elements } from '../values/elements.ts';
import type { FoundTensors } from './format.ts';

export interface ColumnType {
  readonly dtype: Dtype;
  /** Each cell is a list of values. */
  readonly isList: boolean;
}

/** The columns of a table that hold numbers, each a tensor; all others are named. */
export class ColumnCollector {
  readonly #tensors: NamedTensor[] = [];
  readonly #skipped: string[] = [];
  readonly #rows: number;
  readonly #maxBytes: number;
  #left: number;

  constructor(rows: number, maxBytes: number) {
    if (!Number.isSafeInteger(rows) || rows < 0) throw new FormatError('its number of rows is out of all bounds');
    this.#rows = rows;
    this.#maxBytes = maxBytes;
    this.#left = maxBytes;
  }

  open(type: ColumnType): ColumnReader {
    return new ColumnReader(type, this.#rows, (bytes) => {
      this.#left -= bytes;
      if (this.#left < 0) throw new FormatError(`its columns take more than the allowed ${this.#maxBytes} bytes`);
    });
  }

  keep(key: string, reader: ColumnReader): void {
    const found = reader.finish();
    if (typeof found === 'string') this.skip(key, found);
    else this.#tensors.push({ key, tensor: found });
  }

  skip(key: string, why: string): void {
    this.#skipped.push(`${key} (${why})`);
  }

  found(): FoundTensors {
    if (this.#tensors.length > 0) return { tensors: this.#tensors, skipped: this.#skipped };
    const others = this.#skipped.length > 0 ? `; it has ${this.#skipped.slice(0, 10).join(', ')}` : '';
    throw new FormatError(`it has no columns of numbers${others}`);
  }
}

/** One column, cell by cell. An empty cell is NaN, for which integers become float64. */
class ColumnReader {
  readonly #type: ColumnType;
  readonly #rows: number;
  readonly #take: (bytes: number) => void;
  #dtype: Dtype;
  #values: Elements | undefined;
  #width: number | undefined;
  #at = 0;
  #problem: string | undefined;

  constructor(type: ColumnType, rows: number, take: (bytes: number) => void) {
    this.#type = type;
    this.#dtype = type.dtype;
    this.#rows = rows;
    this.#take = take;
    if (!type.isList) this.#allocate(rows);
  }

  add(cells: Iterable<unknown>): void {
    for (const cell of cells) {
      if (this.#problem) return;
      if (this.#type.isList) this.#addList(cell);
      else this.#put(cell);
    }
  }

  /** The tensor, or why the column is not one. */
  finish(): Tensor | string {
    if (this.#problem) return this.#problem;
    const shape = this.#type.isList ? [this.#rows, this.#width ?? 0] : [this.#rows];
    if (this.#at !== countOf(shape)) throw new FormatError('it ends before its values do');
    return { dtype: this.#dtype, shape, data: this.#values ? asBytes(this.#values) : new Uint8Array(0) };
  }

  #addList(cell: unknown): void {
    if (cell === null) this.#problem = 'lists with empty cells';
    else if (!isList(cell)) this.#problem = 'nested values';
    else {
      if (this.#width === undefined) this.#allocate(this.#rows * cell.length);
      this.#width ??= cell.length;
      if (cell.length !== this.#width) this.#problem = 'lists of different lengths';
      else for (let i = 0; i < cell.length && !this.#problem; i++) this.#put(cell[i]);
    }
  }

  #allocate(count: number): void {
    this.#take(count * FACTS[this.#dtype].bytes);
    this.#values = allocate(this.#dtype, count);
  }

  #put(cell: unknown): void {
    if (this.#at >= this.#values!.length) throw new FormatError('it has more values than it says');
    if (cell === null) {
      this.#putGap();
      return;
    }
    if (typeof cell !== 'number' && typeof cell !== 'bigint' && typeof cell !== 'boolean') {
      this.#problem = 'nested values';
      if (cell === undefined) throw new FormatError('it ends before its values do');
      return;
    }
    const values = this.#values!;
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) values[this.#at++] = BigInt(cell);
    else if (typeof cell === 'bigint' && !Number.isSafeInteger(Number(cell)))
      this.#problem = 'large integers with gaps';
    else values[this.#at++] = this.#dtype === 'float16' ? numberToHalf(Number(cell)) : Number(cell);
  }

  #putGap(): void {
    if (this.#dtype === 'bool') this.#problem = 'bool with empty cells';
    if (FACTS[this.#dtype].kind === 'int') this.#widen();
    if (this.#problem) return;
    this.#values![this.#at++] = this.#dtype === 'float16' ? numberToHalf(Number.NaN) : Number.NaN;
  }

  /** Integers have no sign for an empty cell. */
  #widen(): void {
    const before = this.#values!;
    if (FACTS[this.#dtype].bytes < 8) this.#take(before.length * (8 - FACTS[this.#dtype].bytes));
    const doubles = new Float64Array(before.length);
    for (let i = 0; i < this.#at; i++) {
      doubles[i] = Number(before[i]);
      if (!Number.isSafeInteger(doubles[i]!)) this.#problem = 'large integers with gaps';
    }
    this.#dtype = 'float64';
    this.#values = doubles;
  }
}

function isList(cell: unknown): cell is ArrayLike<unknown> {
  return Array.isArray(cell) || (ArrayBuffer.isView(cell) && !(cell instanceof DataView));
}
