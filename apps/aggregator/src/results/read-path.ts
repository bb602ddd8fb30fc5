import { isObject } from '@atoll-mcp/core';
import { badPath, noSuchPath } from './errors.ts';

/** A name, `[index]` or `["any name"]`. */
const PART = /\.?([^.[\]"]+)|\[(-?\d+)\]|\[("(?:\\.|[^"\\])*")\]/y;

/** The part of a value at a path such as `rows[3].name` or `$.rows[3].name`. Only own properties are found. */
export function readPath(value: unknown, path: string): unknown {
  let at = value;
  for (const step of stepsOf(path)) {
    const next = typeof step === 'number' ? atIndex(at, step) : atName(at, step);
    if (next === undefined) throw noSuchPath(path, String(step));
    at = next;
  }
  return at;
}

function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  const part = new RegExp(PART);
  part.lastIndex = /^\$(?=$|[.[])/.test(path) ? 1 : 0;
  while (part.lastIndex < path.length) {
    const found = part.exec(path);
    if (!found) throw badPath(path);
    const [, name, index, quoted] = found;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted === undefined ? (name ?? '') : nameOf(quoted, path));
  }
  return steps;
}

function nameOf(quoted: string, path: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw badPath(path);
  }
}

const atIndex = (value: unknown, index: number) => (Array.isArray(value) ? value.at(index) : undefined);
const atName = (value: unknown, name: string) =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
