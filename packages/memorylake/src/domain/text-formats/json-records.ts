import { isObject } from '@atoll-mcp/core';
import type { Cell, DocumentTable } from '../document.ts';

const MAX_COLUMNS = 500;
const MAX_RECORDS = 200_000;

/** The values of JSON Lines: one in each line that is not blank; undefined when a line is none, or there is only one. */
export function jsonLinesOf(text: string): unknown[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > MAX_RECORDS || !lines.every((line) => /^\s*[[{]/.test(line))) return undefined;
  try {
    return lines.map((line) => JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Whether a text begins as JSON Lines do. What is behind is looked at by its reader. */
export const areJsonLines = (text: string): boolean => {
  const head = text.slice(0, HEAD);
  const cut = text.length > HEAD ? head.lastIndexOf('\n') : head.length;
  return jsonLinesOf(cut < 0 || !head.slice(0, cut).trim().includes('\n') ? text : head.slice(0, cut)) !== undefined;
};

const HEAD = 64 * 1024;

/** Records with the same fields as a table, a field of a nested object under both names (`owner.name`). */
export function recordTable(values: unknown): DocumentTable | undefined {
  if (!Array.isArray(values) || values.length < 2 || values.length > MAX_RECORDS) return undefined;
  if (!values.every(isObject)) return undefined;
  const records = values.map(flatten);
  const found = new Set<string>();
  for (const record of records) {
    for (const name of record.keys()) found.add(name);
    if (found.size > MAX_COLUMNS) return undefined;
  }
  if (found.size === 0) return undefined;
  const names = [...found];
  // Records that share few fields are a list of different things.
  const filled = records.reduce((sum, record) => sum + record.size, 0);
  if (filled < (names.length * records.length) / 4) return undefined;
  const rows = records.map((record) => ({ cells: names.map((name) => record.get(name) ?? null) }));
  return { headerRows: 1, rows: [{ cells: names }, ...rows] };
}

function flatten(record: Record<string, unknown>): Map<string, Cell> {
  const fields = new Map<string, Cell>();
  for (const [name, value] of Object.entries(record)) {
    if (isObject(value)) {
      for (const [inner, one] of Object.entries(value)) fields.set(`${name}.${inner}`, cellOf(one));
    } else fields.set(name, cellOf(value));
  }
  return fields;
}

const cellOf = (value: unknown): Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
