import { isSecretName } from './secret-names.ts';
import { maskSecretText } from './secret-text.ts';

export const REDACTED = '[redacted]';

const MAX_DEPTH = 64;

/** A copy without secrets: by the name of a field, by the look of a value, and inside JSON that is stored as text. */
export function redact<Value>(value: Value): Value {
  // The shape stays, only leaves change, so the type holds for every reader of it.
  return walk(value, 0) as Value;
}

/** Text without secrets; text that is JSON is taken apart first. */
export function redactText(text: string): string {
  return redactString(text, 0);
}

function walk(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return REDACTED;
  if (typeof value === 'string') return redactString(value, depth);
  if (Array.isArray(value)) return redactList(value, depth);
  if (value !== null && typeof value === 'object') return redactObject(value as Record<string, unknown>, depth);
  return value;
}

function redactObject(source: Record<string, unknown>, depth: number): Record<string, unknown> {
  // Headers and variables are often stored as pairs: { name: 'Authorization', value: '…' }, { type: 'bearer', value: '…' }.
  const labels = [source.name, source.key, source.header, source.id, source.type];
  const namesSecret = labels.some((label) => typeof label === 'string' && isSecretName(label));
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) => {
      const isLoneAuth = /^auth$/i.test(key) && typeof value === 'string';
      const secret = isSecretName(key) || isLoneAuth || (namesSecret && key === 'value');
      return [key, secret ? hide(value) : walk(value, depth + 1)];
    }),
  );
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((value, index) => {
    const before = list[index - 1];
    // ["--api-key", "abc"]: the name of an option speaks for the argument after it.
    const followsSecretFlag = typeof before === 'string' && /^--?[a-z]/i.test(before) && isSecretName(before);
    const isFlag = typeof value === 'string' && value.startsWith('-');
    return followsSecretFlag && !isFlag ? hide(value) : walk(value, depth + 1);
  });
}

function hide(value: unknown): unknown {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return value;
  return REDACTED;
}

function redactString(text: string, depth: number): string {
  const parsed = parseNested(text);
  if (parsed === undefined) return maskSecretText(text, REDACTED);
  const clean = walk(parsed, depth + 1);
  const before = JSON.stringify(parsed);
  const after = JSON.stringify(clean);
  // Untouched JSON keeps its own spacing.
  return before === after ? text : after;
}

function parseNested(text: string): unknown {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[' && first !== '"') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
