import { isObject } from '@atoll-mcp/core';
import { csvLine } from '@atoll-mcp/formats/csv';
import { noRecords } from './errors.ts';

/** A list of objects or of lists as CSV; objects give a first line with the names of all of them. */
export function csvOf(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) throw noRecords();
  if (value.every(Array.isArray)) return linesOf(value);
  if (!value.every(isObject)) throw noRecords();
  const columns = [...new Set(value.flatMap((record) => Object.keys(record)))];
  return linesOf([columns, ...value.map((record) => columns.map((column) => record[column]))]);
}

const linesOf = (rows: readonly (readonly unknown[])[]) => rows.map(csvLine).join('');
