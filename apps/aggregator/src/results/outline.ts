import { isObject } from '@atoll-mcp/core';

const MAX_KEYS = 40;
const MAX_DEPTH = 4;
const MAX_LENGTH = 2_000;
/** Items of a list that are sampled for its columns. */
const SAMPLE = 50;

/** The shape of a value in one line: keys, lengths of lists and texts, columns of lists of objects. */
export function outlineOf(value: unknown): string {
  const text = outline([value], 0);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

/** The shape that several values share. */
function outline(values: readonly unknown[], depth: number): string {
  const kinds = new Set(values.map((value) => kindOf(value)));
  return [...kinds].map((kind) => ofKind(values, kind, depth)).join(' | ');
}

function ofKind(values: readonly unknown[], kind: string, depth: number): string {
  if (kind === 'list') {
    const lists = values.filter(Array.isArray);
    const items = lists.flatMap((list) => list.slice(0, SAMPLE)).slice(0, SAMPLE);
    const length =
      lists.length === 1 ? `${lists[0]?.length}` : `${Math.min(...lengths(lists))}–${Math.max(...lengths(lists))}`;
    return items.length === 0 || depth >= MAX_DEPTH
      ? `[${length} items]`
      : `[${length} × ${outline(items, depth + 1)}]`;
  }
  if (kind === 'object') return ofObjects(values.filter(isObject), depth);
  if (kind === 'string') {
    const longest = Math.max(...values.map((value) => (typeof value === 'string' ? value.length : 0)));
    return longest > 200 ? `string of up to ${longest} characters` : 'string';
  }
  return kind;
}

function ofObjects(objects: readonly Record<string, unknown>[], depth: number): string {
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (depth >= MAX_DEPTH) return `{${keys.length} keys}`;
  const fields = keys.slice(0, MAX_KEYS).map((key) => {
    const having = objects.filter((object) => Object.hasOwn(object, key));
    const values = having.map((object) => object[key]);
    return `${key}${having.length < objects.length ? '?' : ''}: ${outline(values, depth + 1)}`;
  });
  const more = keys.length > MAX_KEYS ? [`and ${keys.length - MAX_KEYS} more keys`] : [];
  return `{${[...fields, ...more].join(', ')}}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

const lengths = (lists: readonly (readonly unknown[])[]) => lists.map(({ length }) => length);
