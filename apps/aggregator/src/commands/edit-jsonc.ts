/** Position of an object's member in the text. */
interface MemberSpan {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface ObjectSpan {
  readonly open: number;
  readonly close: number;
  readonly members: readonly MemberSpan[];
}

/**
 * Sets the value at a path of keys in JSON with comments and leaves every other character as it is: comments, order, big
 * integers. Undefined if the text is not understood, which includes duplicate keys and steps that are not objects.
 */
export function setInJsonc(text: string, path: readonly string[], value: unknown): string | undefined {
  return ifUnderstood(() => {
    if (text.trim() === '') return `${JSON.stringify(nested(path, value), null, 2)}\n`;
    const { object, member, rest } = follow(text, path);
    if (!member) return insert(text, object, rest[0] ?? '', nested(rest.slice(1), value));
    const indent = indentAt(text, member.valueStart);
    return text.slice(0, member.valueStart) + format(value, indent, unitOf(text)) + text.slice(member.valueEnd);
  });
}

/** Removes the member at a path of keys; the text is unchanged where it has none. */
export function deleteInJsonc(text: string, path: readonly string[]): string | undefined {
  return ifUnderstood(() => {
    if (text.trim() === '') return text;
    const { object, member } = follow(text, path);
    return member ? without(text, object, member) : text;
  });
}

/** Follows the path as far as it exists; `member` is set only if it exists completely. */
function follow(text: string, path: readonly string[]) {
  let object = readRoot(text);
  for (let at = 0; ; at++) {
    const member = onlyMember(object, path[at] ?? '');
    if (!member || at === path.length - 1) return { object, member, rest: path.slice(at) };
    object = readObject(text, member.valueStart);
  }
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function ifUnderstood(edit: () => string): string | undefined {
  try {
    return edit();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

function onlyMember({ members }: ObjectSpan, key: string): MemberSpan | undefined {
  const found = members.filter((member) => member.key === key);
  if (found.length > 1) throw new NotUnderstood();
  return found[0];
}

function readRoot(text: string): ObjectSpan {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const root = readObject(text, start);
  if (skipSpace(text, root.close + 1) !== text.length) throw new NotUnderstood();
  return root;
}

function readObject(text: string, open: number): ObjectSpan {
  if (text[open] !== '{') throw new NotUnderstood();
  const members: MemberSpan[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] !== '}') {
    const keyEnd = endOfString(text, at);
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== ':') throw new NotUnderstood();
    const valueStart = skipSpace(text, colon + 1);
    const valueEnd = endOfValue(text, valueStart);
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== '}') throw new NotUnderstood();
  }
  return { open, close: at, members };
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    const scalar = /^(?:true|false|null|-?\d[\d.eE+-]*)/.exec(text.slice(start, start + 400))?.[0];
    if (scalar === undefined) throw new NotUnderstood();
    return start + scalar.length;
  }
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else {
      if (sign === '{' || sign === '[') depth++;
      else if (sign === '}' || sign === ']') depth--;
      at++;
      if (depth === 0) return at;
    }
    at = skipSpace(text, at);
  }
  throw new NotUnderstood();
}

function endOfString(text: string, start: number): number {
  const found = /^"(?:[^"\\\n]|\\.)*"/.exec(text.slice(start));
  if (!found) throw new NotUnderstood();
  return start + found[0].length;
}

/** Skips white space and comments. */
function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] as string)) at++;
    // "#" begins a comment in YAML, as which Atoll reads its own file.
    if (text.startsWith('//', at) || text[at] === '#') at = endOr(text, text.indexOf('\n', at), 1);
    else if (text.startsWith('/*', at)) at = endOr(text, text.indexOf('*/', at + 2), 2);
    else return at;
  }
}

function endOr(text: string, found: number, length: number): number {
  return found < 0 ? text.length : found + length;
}

function insert(text: string, { open, close, members }: ObjectSpan, key: string, value: unknown): string {
  const unit = unitOf(text);
  const last = members.at(-1);
  if (last && !text.slice(open, close).includes('\n')) {
    const added = `,${JSON.stringify(key)}:${JSON.stringify(value)}`;
    return text.slice(0, last.valueEnd) + added + text.slice(last.valueEnd);
  }
  const base = indentAt(text, open);
  const indent = last ? indentAt(text, last.valueStart) : base + unit;
  const added = `${JSON.stringify(key)}: ${format(value, indent, unit)}`;
  // An empty object may still hold a comment.
  if (!last) return `${text.slice(0, close).trimEnd()}\n${indent}${added}\n${base}${text.slice(close)}`;
  const rest = text.slice(last.valueEnd);
  const comma = skipSpace(text, last.valueEnd);
  const hasComma = text[comma] === ',';
  if (!hasComma) return `${text.slice(0, last.valueEnd)},\n${indent}${added}${rest}`;
  return `${text.slice(0, comma + 1)}\n${indent}${added}${text.slice(comma + 1)}`;
}

/** Without the member, its line if it is alone there, and the comma that belongs to it. */
function without(text: string, { open, members }: ObjectSpan, member: MemberSpan): string {
  const index = members.indexOf(member);
  const after = skipSpace(text, member.valueEnd);
  const hasComma = text[after] === ',';
  const end = hasComma ? after + 1 : member.valueEnd;
  const before = members[index - 1];
  let start = member.start;
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1), open) + 1;
  if (text.slice(lineStart, start).trim() === '' && lineStart > open + 1) start = lineStart - 1;
  const kept = text.slice(0, start) + text.slice(end);
  if (hasComma || !before) return kept;
  // It was the last: the comma after the one before it goes too.
  const comma = skipSpace(text, before.valueEnd);
  return text[comma] === ',' ? kept.slice(0, comma) + kept.slice(comma + 1) : kept;
}

function format(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
}

/** The white space at the start of the line. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}
