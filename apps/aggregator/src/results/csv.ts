import { isObject } from '@atoll-mcp/core';
import { noRecords } from './errors.ts';

/** A list of objects or of lists as CSV; objects give a first line with the names of all of them. */
export function csvOf(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) throw noRecords();
  if (value.every(Array.isArray)) return linesOf(value);
  if (!value.every(isObject)) throw noRecords();
  const columns = [...new Set(value.flatMap((record) => Object.keys(record)))];
  return linesOf([columns, ...value.map((record) => columns.map((column) => record[column]))]);
}

const linesOf = (rows: readonly (readonly unknown[])[]) => rows.map((row) => `${row.map(cell).join(',')}\n`).join('');

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
