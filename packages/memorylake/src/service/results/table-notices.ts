import { type TypedTable, textName } from '../../domain/tables/table-rows.ts';
import { totalRowsOf } from '../../domain/tables/total-rows.ts';
import type { ColumnListing, TableListing } from '../tables.ts';

const MAX_NOTICES = 10;
/** Above this share of plain text, numbers in a text column are too few to warn about. */
const MOSTLY_TEXT = 0.8;
const AGGREGATE = /\b(?:sum|avg|total|median|percentile|stddev|variance|max|min|count)\s*\(/i;

/** Warns when an aggregate skips cells, compares text, or includes total rows. */
export function noticeOf(
  sql: string,
  listings: readonly TableListing[],
  tables: readonly TypedTable[],
): string | undefined {
  const notices = listings.flatMap((listing, at) => [
    ...listing.columns
      .filter(({ name }) => mentions(sql, name.toLowerCase()))
      .flatMap((column) => columnNotice(sql, listing.table, column) ?? []),
    ...(totalsNotice(sql, listing.table, tables[at]!) ?? []),
  ]);
  return notices.length === 0 ? undefined : notices.slice(0, MAX_NOTICES).join(' ');
}

function columnNotice(sql: string, table: string, column: ColumnListing): string | undefined {
  const { name, note } = column;
  const told = [cellsNotice(sql, table, column), note === undefined ? undefined : `"${name}" of ${table}: ${note}`];
  return told.filter(Boolean).join(' ') || undefined;
}

function cellsNotice(sql: string, table: string, { name, type, share = 1, examples = [] }: ColumnListing) {
  const others = examples.map((example) => JSON.stringify(example)).join(', ');
  if (type === 'text' && isSummed(sql, name))
    return `"${name}" of ${table} is text: SUM and AVG take only the digits that a cell begins with, and 0 where there are none.`;
  if (type === 'text' && share < MOSTLY_TEXT)
    return `"${name}" of ${table} is text, with numbers among it (${others}): it sorts and compares as text.`;
  if (type === 'boolean' && isComparedWithWord(sql, name))
    return `"${name}" of ${table} is boolean: compare it with TRUE or FALSE; no cell equals a text.`;
  if (type === 'text' || share === 1) return undefined;
  return `"${name}" of ${table} is mixed: ${percent(share)} of its cells are of type ${type}; others, such as ${others}, are NULL. "${textName(name)}" has them all.`;
}

function totalsNotice(sql: string, table: string, typed: TypedTable): string[] | undefined {
  if (!AGGREGATE.test(sql)) return undefined;
  const found = totalRowsOf(typed);
  if (!found || isSelected(sql, found.labels)) return undefined;
  const labels = found.labels.map((label) => (label === '' ? 'blank' : JSON.stringify(label))).join(', ');
  const [rows, them] =
    found.count === 1 ? ['a row that looks like a total', 'it'] : [`${found.count} rows that look like totals`, 'them'];
  return [
    `${table} has ${rows} ("${found.column}" is ${labels}): aggregates include ${them} unless WHERE leaves ${them} out.`,
  ];
}

/** Whether a query filters by such labels; the name of a table does not count. */
function isSelected(sql: string, labels: readonly string[]): boolean {
  if (labels.includes('') && /\bis\s+(?:not\s+)?null\b|<>\s*''|!=\s*''/i.test(sql)) return true;
  const texts = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) =>
    text!.replace(/[%_]/g, '').trim().toLowerCase(),
  );
  return labels.some((label) => texts.some((text) => text !== '' && label.toLowerCase().includes(text)));
}

function isSummed(sql: string, column: string): boolean {
  const name = column.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `\\b(?:sum|avg|total)\\s*\\(\\s*(?:distinct\\s+)?(?:[\\w"]+\\.)?["\`[]?${name}["\`\\]]?\\s*\\)`,
  ).test(sql.toLowerCase());
}

function isComparedWithWord(sql: string, column: string): boolean {
  const name = column.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `\\b${name}["\`\\]]?\\)?\\s*(?:=|<>|!=|is|in\\s*\\(|like)\\s*(?:not\\s+)?'(?:true|false)`,
    'i',
  ).test(sql);
}

const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`;

/** Whether the query has the name as a word of its own, quoted or not. */
export function mentions(sql: string, table: string): boolean {
  const text = sql.toLowerCase();
  const letter = /[\p{L}\p{N}_]/u;
  for (let at = text.indexOf(table); at >= 0; at = text.indexOf(table, at + 1)) {
    if (!letter.test(text[at - 1] ?? ' ') && !letter.test(text[at + table.length] ?? ' ')) return true;
  }
  return false;
}
