/** Never data, in any column. */
const ALWAYS = new Set(['N/A', 'n/a', '#N/A', 'n.a.', 'N.A.', 'null', 'NULL', 'Null', '<NA>', '–', '—']);

/** Missing among numbers and dates, but words of their own among texts: Namibia's code, a strand, a name. */
const AMONG_VALUES = new Set([
  ...['NA', 'na', 'NaN', 'nan', 'NAN', 'None', 'none', 'nil', '#NA', '-', '--', '---', '−', '.', '..', '...', '…', '?'],
]);

export type Missing = 'always' | 'among values';

/** Whether a cell stands for a missing value. Accounting writes `$ -`. */
export function missingMark(cell: string): Missing | undefined {
  if (cell.length > 8) return undefined;
  const text = cell.trim();
  if (text === '' || ALWAYS.has(text)) return 'always';
  return AMONG_VALUES.has(text) || /^[$€£¥]\s*[-–—]$/.test(text) ? 'among values' : undefined;
}
