import { castDoubles } from '../values/cast-doubles.ts';
import type { Tensor } from '../values/dtypes.ts';
import { FileFault } from './file-fault.ts';
import type { TensorFormat } from './format.ts';

const DELIMITERS = [',', ';', '\t'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A table of numbers, with or without a line of titles. An empty cell is NaN; one column gives a vector. */
export function parseCsv(text: string): Tensor {
  const [first] = linesOf(text);
  if (!first) throw new FileFault('it holds no numbers');
  const delimiter =
    DELIMITERS.find((sign) => first.line.includes(sign)) ?? (/\S\s+\S/.test(first.line.trim()) ? /\s+/ : ',');
  const cells = (line: string) =>
    line
      .trim()
      .split(delimiter)
      .map((cell) =>
        cell
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim(),
      );
  const hasTitles = cells(first.line).some((cell) => numberIn(cell) === undefined);
  let rows = hasTitles ? -1 : 0;
  for (const _ of linesOf(text)) rows++;
  if (rows === 0) throw new FileFault('it holds titles and no numbers');
  const width = cells(first.line).length;
  const values = new Float64Array(rows * width);
  const exact = new Map<number, bigint>();
  let whole = true;
  let index = 0;
  for (const { line, number } of linesOf(text)) {
    if (hasTitles && number === first.number) continue;
    const found = cells(line);
    if (found.length !== width)
      throw new FileFault(`line ${number} has ${found.length} cells where ${width} are expected`);
    found.forEach((cell, column) => {
      const value = numberIn(cell);
      if (value === undefined)
        throw new FileFault(`line ${number}, cell ${column + 1} is no number: ${JSON.stringify(cell.slice(0, 40))}`);
      values[index] = value;
      if (!/^[+-]?\d+$/.test(cell)) whole = false;
      else if (!Number.isSafeInteger(value)) exact.set(index, BigInt(cell));
      index++;
    });
  }
  const dtype = whole && fits64(exact) ? 'int64' : 'float64';
  const data = castDoubles(values, dtype, exact, (_, value) => new FileFault(`${value} is too large`));
  return { dtype, shape: width === 1 ? [rows] : [rows, width], data };
}

/** Lines that are not blank. One at a time: all of them together take many times the room of the text. */
function* linesOf(text: string): Generator<{ line: string; number: number }> {
  const ends = /\r\n|\n|\r/g;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; at <= text.length; number++) {
    ends.lastIndex = at;
    const end = ends.exec(text);
    const line = text.slice(at, end?.index);
    if (line.trim() !== '') yield { line, number };
    at = end ? ends.lastIndex : text.length + 1;
  }
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
export function csvText(values: unknown, dimensions: number): string {
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
