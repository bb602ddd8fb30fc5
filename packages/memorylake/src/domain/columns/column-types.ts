import type { Cell } from '../document.ts';
import { readBoolean } from './column-booleans.ts';
import { type DateOrder, readDate } from './column-dates.ts';
import { missingMark } from './column-nulls.ts';
import { type DecimalMark, readNumber } from './column-numbers.ts';
import { type CellKind, ColumnStats, habitsOf, type TableHabits, type UnitNumbers } from './column-stats.ts';

export type ColumnType = 'integer' | 'real' | 'text' | 'boolean' | 'date' | 'datetime';

/** What is told of a column: its type, and what does not fit it. */
export interface ColumnInfo {
  readonly type: ColumnType;
  /** Share of the filled cells that are of the type, from 0 to 1. */
  readonly share: number;
  /** Some cells that are not of the type. */
  readonly examples?: readonly string[];
  /** `%` or a currency that was taken off the numbers. */
  readonly unit?: string;
  /** What a reader of the column must know. */
  readonly note?: string;
}

/** How a column's cells are read once its type is decided. */
interface ColumnPlan extends ColumnInfo {
  readonly decimalMark: DecimalMark;
  readonly dateOrder: DateOrder;
}

/** The part of a plan that is told. */
export const infoOf = ({ type, share, examples, unit, note }: ColumnPlan): ColumnInfo => ({
  type,
  share,
  ...(examples && { examples }),
  ...(unit !== undefined && { unit }),
  ...(note !== undefined && { note }),
});

export type ColumnValue = string | number | bigint | boolean | null;

const NO_VALUES =
  'It has formulas whose values were not saved. Open the file in a spreadsheet program, save it and add it again.';

/** Decides the type of each column from all of its cells. */
export function planColumns(columns: readonly ColumnStats[]): ColumnPlan[] {
  const habits = habitsOf(columns);
  return columns.map((stats) => {
    const plan = planColumn(stats, habits);
    return stats.formulas > 0 ? { ...plan, note: NO_VALUES } : plan;
  });
}

/** Types a table: a plan for each column and the values that follow from it. */
export function typeTable(
  width: number,
  rows: readonly (readonly Cell[])[],
): { plans: ColumnPlan[]; rows: ColumnValue[][] } {
  const columns = Array.from({ length: width }, () => new ColumnStats());
  for (const row of rows) for (let at = 0; at < width; at++) columns[at]!.add(row[at]);
  const plans = planColumns(columns);
  return { plans, rows: rows.map((row) => plans.map((plan, at) => typedValue(row[at], plan))) };
}

/** The value of a cell in its column; null where it is missing or not of the column's type. */
function typedValue(cell: Cell | undefined, plan: ColumnPlan): ColumnValue {
  if (cell === null || cell === undefined || cell === '') return null;
  switch (plan.type) {
    case 'text':
      return typeof cell === 'string' && missingMark(cell) === 'always' ? null : (cellText(cell)?.trim() ?? null);
    case 'boolean':
      return typeof cell === 'boolean' ? cell : typeof cell === 'string' ? (readBoolean(cell) ?? null) : null;
    case 'date':
    case 'datetime':
      return typeof cell === 'string' ? dateValue(cell, plan) : null;
    default:
      return typeof cell === 'boolean' ? null : numberValue(cell, plan);
  }
}

/** A cell as it is written in the file. */
export const cellText = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined || cell === ''
    ? null
    : typeof cell === 'boolean'
      ? cell
        ? 'TRUE'
        : 'FALSE'
      : String(cell);

function numberValue(cell: string | number, { decimalMark, unit = '', type }: ColumnPlan): number | bigint | null {
  const reading = typeof cell === 'number' ? { point: cell, comma: cell, unit: '' } : readNumber(cell);
  const value = reading?.[decimalMark];
  if (value === undefined || !fitsUnit(reading!.unit, unit, value === 0)) return null;
  return type === 'real' ? Number(value) : value;
}

/** Plain numbers stand among amounts of money, but not among percentages: `0.5` and `50 %` would not add up. */
const fitsUnit = (given: string, unit: string, isZero: boolean): boolean =>
  given === unit || (given === '' && (unit !== '%' || isZero));

function dateValue(cell: string, { dateOrder, type }: ColumnPlan): string | null {
  const reading = readDate(cell);
  const date = reading?.[dateOrder];
  if (date === undefined) return null;
  return type === 'datetime' && date.length === 10 ? `${date} 00:00:00` : date;
}

function planColumn(stats: ColumnStats, habits: TableHabits): ColumnPlan {
  const { filled } = stats;
  const numbers = numberPlan(stats, habits);
  const dates = datePlan(stats, habits);
  const isCode = numbers.count === filled && looksLikeCodes(stats, numbers.count);
  const base = { decimalMark: numbers.mark, dateOrder: dates.order };
  const told = (type: ColumnType, count: number, of: number, kind: CellKind, more: Partial<ColumnInfo> = {}) => ({
    ...base,
    type,
    share: of === 0 ? 1 : Math.floor((count / of) * 10_000) / 10_000,
    ...(count < of && { examples: examplesBeside(kind, stats, { ...base, type, share: 0, ...more }) }),
    ...more,
  });
  if (numbers.count > filled / 2 && !isCode)
    return told(numbers.isReal ? 'real' : 'integer', numbers.count, filled, 'number', {
      ...(numbers.unit !== '' && { unit: numbers.unit }),
      ...(numbers.isOpen && { note: OPEN_MARK }),
    });
  if (dates.count > filled / 2 && !dates.isOpen)
    return told(stats.times > 0 ? 'datetime' : 'date', dates.count, filled, 'date');
  const booleans = stats.booleans + stats.writtenBooleans;
  // Written ones are words where others stand beside them.
  if (stats.booleans > filled / 2 || (booleans > 0 && booleans === filled))
    return told('boolean', booleans, filled, 'boolean');
  const texts = filled + stats.missingAmongValues;
  if (isCode) return told('text', texts, texts, 'text');
  if (dates.isOpen && dates.count > filled / 2) {
    const note = 'Dates whose day and month cannot be told apart; they are kept as text.';
    return told('text', texts, texts, 'text', { note });
  }
  const others = [...stats.units.values()].reduce(
    (sum, { point, comma }) => sum + Math.max(point.count, comma.count),
    0,
  );
  return told('text', texts - others - stats.booleans, texts, 'text');
}

/** The range of a column's numbers or dates, or a few of its values. */
export function describeColumn(stats: ColumnStats, { type, unit = '', decimalMark, dateOrder }: ColumnPlan): string {
  if (type === 'integer' || type === 'real') {
    const ranges = [stats.units.get(unit), unit === '%' ? undefined : stats.units.get('')].flatMap((numbers) =>
      numbers && numbers[decimalMark].count > 0 ? [numbers[decimalMark]] : [],
    );
    const least = Math.min(...ranges.map((range) => range.least));
    const greatest = Math.max(...ranges.map((range) => range.greatest));
    const suffix = unit === '' ? '' : ` ${unit}`;
    return `${figure(least)} to ${figure(greatest)}${suffix}`;
  }
  if (type === 'date' || type === 'datetime')
    return `${stats.dates[dateOrder].first} to ${stats.dates[dateOrder].last}`;
  const samples = (['text', 'number', 'date', 'boolean'] as const).flatMap((kind) => stats.examples(kind));
  const few = samples.slice(0, 3).map((sample) => (sample.length > 24 ? `${sample.slice(0, 23)}…` : sample));
  return few.length === 0 ? '' : `${few.join(', ')}${samples.length > few.length ? ', …' : ''}`;
}

const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });

/** Cells that are not of the column's type, as they are written. */
function examplesBeside(kind: CellKind, stats: ColumnStats, plan: ColumnPlan): string[] {
  const kinds: CellKind[] = kind === 'text' ? ['number', 'boolean'] : ['text', 'date', 'number', 'boolean'];
  const isOther = (text: string, of: CellKind) => of !== kind || typedValue(text, plan) === null;
  return kinds
    .flatMap((of) => stats.examples(of).filter((text) => isOther(text, of) && missingMark(text) === undefined))
    .slice(0, 3);
}

/** Nothing in the table tells whether the point marks decimals or thousands. */
const OPEN_MARK =
  'Every number has three digits after its point, which is read as a decimal mark: 1.234 is less than 2. It could also mark thousands.';

function numberPlan({ units }: ColumnStats, habits: TableHabits) {
  let best = { count: 0, mark: 'point' as DecimalMark, unit: '', isReal: false, isOpen: false };
  const plain = units.get('');
  for (const unit of new Set(['', ...units.keys()])) {
    const own = units.get(unit);
    const beside = unit === '' ? undefined : plain;
    const mark = markOf([own, beside], habits);
    const count = (own?.[mark].count ?? 0) + (unit === '%' ? (beside?.zeros ?? 0) : (beside?.[mark].count ?? 0));
    const isReal = [own, beside].some((numbers) => (numbers?.[mark].fractions ?? 0) > 0);
    const isOpen = isReal && habits.decimalMark === undefined && [own, beside].every((numbers) => isOpenMark(numbers));
    if (count > best.count) best = { count, mark, unit, isReal, isOpen };
  }
  return best;
}

const isOpenMark = (numbers: UnitNumbers | undefined): boolean =>
  numbers === undefined || (numbers.onlyPoint === 0 && numbers.onlyComma === 0 && numbers.open > 0);

function markOf(numbers: readonly (UnitNumbers | undefined)[], habits: TableHabits): DecimalMark {
  const count = (mark: DecimalMark) => numbers.reduce((sum, one) => sum + (one?.[mark].count ?? 0), 0);
  if (count('point') !== count('comma')) return count('point') > count('comma') ? 'point' : 'comma';
  return habits.decimalMark ?? 'point';
}

/** Dates count only once it is known which number is the day. */
function datePlan({ dates, onlyDay, onlyMonth, openDates }: ColumnStats, habits: TableHabits) {
  const isOpen = openDates > 0 && onlyDay === onlyMonth && habits.dateOrder === undefined;
  const order: DateOrder =
    onlyDay !== onlyMonth ? (onlyDay > onlyMonth ? 'day' : 'month') : (habits.dateOrder ?? 'day');
  return { count: dates[order].count, order, isOpen };
}

/** Postcodes, article numbers and long ids: as many digits in each, with a leading zero or more than can be counted with. */
function looksLikeCodes({ codes }: ColumnStats, numbers: number): boolean {
  const areAlike = codes.count === numbers && codes.shortest === codes.longest;
  return areAlike && (codes.leadingZeros > 0 || codes.huge > 0 || (codes.grouped > 0 && codes.longest >= 9));
}
