import { csvText, readCsvRecord } from '@atoll-mcp/formats/csv';
import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { castDoubles } from '../values/cast-doubles.ts';
import type { TensorFormat } from './format.ts';

const SEPARATORS = [',', ';', '\t'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A table of numbers, with or without a line of titles. An empty cell is NaN; one column gives a vector. */
function parseCsv(file: string): Tensor {
  const text = csvText(file);
  const separator = separatorOf(text);
  const [first] = recordsOf(text, separator);
  if (!first) throw new FormatError('it holds no numbers');
  const hasTitles = first.cells.some((cell) => numberIn(cell) === undefined);
  let rows = hasTitles ? -1 : 0;
  for (const _ of recordsOf(text, separator)) rows++;
  if (rows === 0) throw new FormatError('it holds titles and no numbers');
  const width = first.cells.length;
  const values = new Float64Array(rows * width);
  const exact = new Map<number, bigint>();
  let whole = true;
  let index = 0;
  for (const { cells, start } of recordsOf(text, separator)) {
    if (hasTitles && start === first.start) continue;
    if (cells.length !== width)
      throw new FormatError(`line ${lineAt(text, start)} has ${cells.length} cells where ${width} are expected`);
    for (const [column, cell] of cells.entries()) {
      const value = numberIn(cell);
      if (value === undefined) {
        const shown = JSON.stringify(cell.slice(0, 40));
        throw new FormatError(`line ${lineAt(text, start)}, cell ${column + 1} is not a number: ${shown}`);
      }
      values[index] = value;
      if (!/^[+-]?\d+$/.test(cell)) whole = false;
      else if (!Number.isSafeInteger(value)) exact.set(index, BigInt(cell));
      index++;
    }
  }
  const dtype = whole && fits64(exact) ? 'int64' : 'float64';
  const data = castDoubles(values, dtype, exact, (_, value) => new FormatError(`${value} is too large`));
  return { dtype, shape: width === 1 ? [rows] : [rows, width], data };
}

/** The sign between cells, as the first line has it; undefined where blanks separate them. */
function separatorOf(text: string): string | undefined {
  const line = /\S.*/.exec(text)?.[0] ?? '';
  const plain = line.replace(/"[^"]*"/g, '');
  return SEPARATORS.find((sign) => plain.includes(sign)) ?? (/\S\s+\S/.test(plain.trim()) ? undefined : ',');
}

/** Records that are not blank. One at a time: all of them together take many times the room of the text. */
function* recordsOf(text: string, separator: string | undefined): Generator<{ cells: string[]; start: number }> {
  for (let at = 0; at < text.length; ) {
    const start = at;
    let cells: string[] = [];
    if (separator === undefined) {
      const end = text.indexOf('\n', at);
      cells = text
        .slice(at, end < 0 ? undefined : end)
        .trim()
        .split(/\s+/)
        .map((cell) => cell.replace(/^"(.*)"$/, '$1'));
      at = end < 0 ? text.length : end + 1;
    } else {
      at = readCsvRecord(text, at, separator, (cell) => cells.push(cell.trim()));
    }
    if (cells.length > 1 || cells[0] !== '') yield { cells, start };
  }
}

/** Counted only for a message. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function numberIn(cell: string): number | undefined {
  if (NUMBER.test(cell)) return Number(cell);
  const word = cell.toLowerCase();
  if (word === '' || word === 'nan' || word === 'na') return Number.NaN;
  if (/^\+?inf(inity)?$/.test(word)) return Number.POSITIVE_INFINITY;
  if (/^-inf(inity)?$/.test(word)) return Number.NEGATIVE_INFINITY;
  return undefined;
}

function fits64(integers: ReadonlyMap<number, bigint>): boolean {
  return [...integers.values()].every((value) => BigInt.asIntN(64, value) === value);
}

export const csv: TensorFormat = {
  extensions: ['.csv'],
  isText: true,
  read: (bytes) => ({ tensors: [{ tensor: parseCsv(Buffer.from(bytes).toString('utf8')) }] }),
};

/** One line per row; a vector has one value per line. `values` are nested as in an answer. */
export function csvOfValues(values: unknown, dimensions: number): string {
  const cell = (value: unknown) => (typeof value === 'boolean' ? (value ? '1' : '0') : csvNumber(value));
  const rows =
    dimensions === 0
      ? [[values]]
      : dimensions === 1
        ? (values as unknown[]).map((value) => [value])
        : (values as unknown[][]);
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}

function csvNumber(value: unknown): string {
  return value === 'Infinity' ? 'inf' : value === '-Infinity' ? '-inf' : value === 'NaN' ? 'nan' : String(value);
}
