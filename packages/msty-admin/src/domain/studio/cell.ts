import { redact } from '../secrets/redact.ts';

const MAX_CELL_CHARS = 50_000;
const MAX_ANSWER_CHARS = 4_000_000;

/** As many of the rows as an answer can carry. */
export function carried<Item>(items: readonly Item[], maxChars = MAX_ANSWER_CHARS): Item[] {
  let chars = 0;
  const end = items.findIndex((item) => {
    chars += JSON.stringify(item).length;
    return chars > maxChars;
  });
  return end === -1 ? [...items] : items.slice(0, Math.max(1, end));
}

/** A row as it may be shown: no secrets, no bytes, no numbers that JSON cannot hold, no endless text. */
export function shownRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainCell(value)]));
  return Object.fromEntries(Object.entries(redact(plain)).map(([name, value]) => [name, shortened(value)]));
}

/** The same with JSON columns opened, for readers that want the parts. */
export function openedRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, opened(plainCell(value))]));
  return Object.fromEntries(Object.entries(redact(plain)).map(([name, value]) => [name, shortened(value)]));
}

function plainCell(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Uint8Array) return { blob_bytes: value.byteLength };
  return value;
}

function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_CELL_CHARS) return value;
  return `${value.slice(0, MAX_CELL_CHARS)}… (${value.length} characters in all)`;
}
