import type { Cell } from '../document.ts';
import { readBoolean } from './column-booleans.ts';
import { type DateOrder, type DateReading, readDate } from './column-dates.ts';
import { missingMark } from './column-nulls.ts';
import { type DecimalMark, type NumberReading, readNumber } from './column-numbers.ts';

export type CellKind = 'number' | 'date' | 'boolean' | 'text';

/** Counts of numbers under one way to write them. */
class Numbers {
  count = 0;
  fractions = 0;
  least = Number.POSITIVE_INFINITY;
  greatest = Number.NEGATIVE_INFINITY;

  add(value: number | bigint): void {
    this.count++;
    if (typeof value === 'number' && !Number.isSafeInteger(value)) this.fractions++;
    const near = Number(value);
    if (near < this.least) this.least = near;
    if (near > this.greatest) this.greatest = near;
  }
}

class Dates {
  count = 0;
  first: string | undefined;
  last: string | undefined;

  add(text: string): void {
    this.count++;
    if (this.first === undefined || text < this.first) this.first = text;
    if (this.last === undefined || text > this.last) this.last = text;
  }
}

export interface UnitNumbers {
  readonly point: Numbers;
  readonly comma: Numbers;
  /** Texts that are a number under one mark only. */
  onlyPoint: number;
  onlyComma: number;
  /** Texts that are one number with a decimal mark and another with a thousands separator: `1.234`. */
  open: number;
  zeros: number;
}

const EXAMPLES = 4;

/** What one column holds, gathered cell by cell, from which its type is decided. */
export class ColumnStats {
  /** Cells that hold something, markers of missing values not among them. */
  filled = 0;
  missingAmongValues = 0;
  /** Formulas that stand in place of their values. */
  formulas = 0;
  booleans = 0;
  /** Texts that are `true` or `false`. */
  writtenBooleans = 0;
  readonly units = new Map<string, UnitNumbers>();
  readonly dates: Readonly<Record<DateOrder, Dates>> = { day: new Dates(), month: new Dates() };
  onlyDay = 0;
  onlyMonth = 0;
  /** Dates that are another day in the other order. */
  openDates = 0;
  times = 0;
  readonly codes = { count: 0, shortest: Number.POSITIVE_INFINITY, longest: 0, leadingZeros: 0, huge: 0, grouped: 0 };
  readonly #kept: Record<CellKind, Set<string>> = {
    number: new Set(),
    date: new Set(),
    boolean: new Set(),
    text: new Set(),
  };

  add(cell: Cell | undefined): void {
    if (cell === null || cell === undefined || cell === '') return;
    if (typeof cell === 'number') this.#addNumber(cell);
    else if (typeof cell === 'boolean') {
      this.filled++;
      this.booleans++;
      this.#keep('boolean', String(cell));
    } else this.#addText(cell);
  }

  examples(kind: CellKind): string[] {
    return [...this.#kept[kind]];
  }

  #addNumber(value: number): void {
    this.filled++;
    const numbers = this.#unit('');
    numbers.point.add(value);
    numbers.comma.add(value);
    if (value === 0) numbers.zeros++;
    if (Number.isSafeInteger(value) && value >= 0) this.#addCode(String(value).length);
    this.#keep('number', value);
  }

  #addText(cell: string): void {
    const missing = missingMark(cell);
    if (missing === 'always') return;
    if (missing) {
      this.missingAmongValues++;
      this.#keep('text', cell);
      return;
    }
    this.filled++;
    const number = readNumber(cell);
    const date = number ? undefined : readDate(cell);
    if (number) this.#addReading(cell, number);
    else if (date) this.#addDate(cell, date);
    else if (readBoolean(cell) !== undefined) {
      this.writtenBooleans++;
      this.#keep('text', cell);
    } else this.#addOther(cell);
  }

  #addOther(cell: string): void {
    if (/^=[A-Z@(+-]/i.test(cell)) this.formulas++;
    this.#keep('text', cell);
  }

  #addDate(cell: string, date: DateReading): void {
    if (date.day !== undefined) this.dates.day.add(date.day);
    if (date.month !== undefined) this.dates.month.add(date.month);
    if (date.month === undefined) this.onlyDay++;
    if (date.day === undefined) this.onlyMonth++;
    if (date.day !== undefined && date.month !== undefined && date.day !== date.month) this.openDates++;
    if (date.hasTime) this.times++;
    this.#keep('date', cell);
  }

  #addReading(cell: string, { point, comma, unit, digits, hasLeadingZero }: NumberReading): void {
    const numbers = this.#unit(unit);
    if (point !== undefined) numbers.point.add(point);
    if (comma !== undefined) numbers.comma.add(comma);
    // A whole number with a written fraction (`1.0`) is a measured one.
    if (point !== undefined && cell.includes('.') && Number.isSafeInteger(point)) numbers.point.fractions++;
    if (comma !== undefined && cell.includes(',') && Number.isSafeInteger(comma)) numbers.comma.fractions++;
    if (comma === undefined) numbers.onlyPoint++;
    if (point === undefined) numbers.onlyComma++;
    if (point !== undefined && comma !== undefined && Number(point) !== Number(comma)) numbers.open++;
    if (point === 0) numbers.zeros++;
    if (digits > 0)
      this.#addCode(digits, {
        hasLeadingZero,
        isHuge: digits > 18 && typeof point === 'number',
        isGrouped: cell.trim().includes(' '),
      });
    this.#keep('number', cell);
  }

  #addCode(digits: number, traits?: { hasLeadingZero: boolean; isHuge: boolean; isGrouped: boolean }): void {
    const { codes } = this;
    codes.count++;
    codes.shortest = Math.min(codes.shortest, digits);
    codes.longest = Math.max(codes.longest, digits);
    if (traits?.hasLeadingZero) codes.leadingZeros++;
    if (traits?.isHuge) codes.huge++;
    if (traits?.isGrouped) codes.grouped++;
  }

  #unit(name: string): UnitNumbers {
    let numbers = this.units.get(name);
    if (!numbers) {
      numbers = { point: new Numbers(), comma: new Numbers(), onlyPoint: 0, onlyComma: 0, open: 0, zeros: 0 };
      this.units.set(name, numbers);
    }
    return numbers;
  }

  #keep(kind: CellKind, value: string | number): void {
    const kept = this.#kept[kind];
    if (kept.size >= EXAMPLES) return;
    const text = String(value).trim();
    kept.add(text.length > 40 ? `${text.slice(0, 39)}…` : text);
  }
}

/** How the other columns of a table write what one column alone leaves open. */
export interface TableHabits {
  readonly decimalMark: DecimalMark | undefined;
  readonly dateOrder: DateOrder | undefined;
}

export function habitsOf(columns: readonly ColumnStats[]): TableHabits {
  let point = 0;
  let comma = 0;
  for (const { units, filled } of columns) {
    const numbers = [...units.values()];
    // A stray number among texts says nothing about the table.
    if (numbers.reduce((sum, unit) => sum + Math.max(unit.point.count, unit.comma.count), 0) <= filled / 2) continue;
    for (const { onlyPoint, onlyComma } of numbers) {
      point += onlyPoint;
      comma += onlyComma;
    }
  }
  const day = columns.reduce((sum, { onlyDay }) => sum + onlyDay, 0);
  const month = columns.reduce((sum, { onlyMonth }) => sum + onlyMonth, 0);
  return {
    decimalMark: comma > 0 && point === 0 ? 'comma' : point > 0 && comma === 0 ? 'point' : undefined,
    dateOrder: day > 0 && month === 0 ? 'day' : month > 0 && day === 0 ? 'month' : undefined,
  };
}
