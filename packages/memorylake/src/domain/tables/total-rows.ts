import type { TypedTable } from './table-rows.ts';

/** Rows that add up others, in the languages of most exports; a name that only begins so (`Total Energies`) is not one. */
const TOTAL =
  /^(?:(?:grand|sub|overall|net|gross)?[ -]?totals?|sums?|summe|zwischensumme|gesamt(?:summe|betrag)?|insgesamt|endsumme|total g[ée]n[ée]ral|sous-total|somme|totale|subtotale|totaal|total general|suma|soma|razem|celkem|итого|всего|合计|合計|总计|總計|小计|小計|합계|총계)\s*:?$/i;
const ENDS_SO = /\s(?:sub)?totals?\s*:?$/i;
const SHOWN = 3;
/** One number above is its own sum. */
const MIN_ADDED = 2;
/** The label of a total stands in one of the first columns of text. */
const LABEL_COLUMNS = 3;

interface TotalRows {
  readonly column: string;
  readonly labels: readonly string[];
  readonly count: number;
}

/** Rows of a table that are totals of its other rows, told by their labels, as long as they are few. */
export function totalRowsOf({ columns, rows }: TypedTable): TotalRows | undefined {
  const texts = columns.flatMap(({ type }, at) => (type === 'text' ? [at] : [])).slice(0, LABEL_COLUMNS);
  const at = texts.find((column) => rows.some((row) => isTotal(row[column])));
  if (at === undefined) return unnamedTotal({ columns, rows }, texts);
  const found = rows.filter((row) => isTotal(row[at]));
  // A column of which most say "total" tells kinds of rows, and a query selects by it.
  if (found.length > rows.length / 2) return undefined;
  const labels = [...new Set(found.map((row) => String(row[at])))];
  return { column: columns[at]!.name, labels: labels.slice(0, SHOWN), count: found.length };
}

/** A last row without a label whose numbers are the sums of those above. */
function unnamedTotal({ columns, rows }: TypedTable, texts: readonly number[]): TotalRows | undefined {
  const last = rows.at(-1);
  const above = rows.slice(0, -1);
  const label = texts[0];
  if (!last || above.length < MIN_ADDED || label === undefined) return undefined;
  if (texts.some((at) => last[at] !== null) || above.some((row) => row[label] === null)) return undefined;
  const isSum = columns.some(({ type }, at) => {
    if (type !== 'integer' && type !== 'real') return false;
    const [total, sum] = [Number(last[at] ?? 0), above.reduce((all, row) => all + Number(row[at] ?? 0), 0)];
    return total !== 0 && Math.abs(total - sum) <= Math.abs(total) * 1e-9;
  });
  return isSum ? { column: columns[label]!.name, labels: [''], count: 1 } : undefined;
}

function isTotal(cell: unknown): boolean {
  if (typeof cell !== 'string' || cell.length > 60) return false;
  const text = cell.trim();
  return TOTAL.test(text) || ENDS_SO.test(text);
}
