import type { ServerSettings } from './admin.ts';

export type ServerKind = 'command' | 'url' | 'openapi';

export interface ServerFields {
  readonly kind: ServerKind;
  readonly line: string;
  readonly url: string;
  readonly openapi: string;
  readonly baseUrl: string;
  readonly cwd: string;
  readonly prefix: string | undefined;
  readonly pairs: string;
}

export function kindOf({ url, openapi }: ServerSettings): ServerKind {
  if (openapi !== undefined) return 'openapi';
  return url === undefined ? 'command' : 'url';
}

/** Variables, headers or keys, one a line. */
export function pairsIn({ env = {}, headers = {}, auth = {} }: ServerSettings, kind: ServerKind): string {
  if (kind === 'url') return textOfPairs(headers, ': ');
  return textOfPairs(kind === 'openapi' ? auth : env);
}

export function settingsOf(fields: ServerFields): ServerSettings {
  const { kind, line, url, openapi, baseUrl, cwd, prefix, pairs } = fields;
  const common = prefix === undefined ? {} : { prefix };
  if (kind === 'url') return { url: url.trim(), headers: pairsOf(pairs, ':') ?? {}, ...common };
  if (kind === 'openapi') {
    const address = baseUrl.trim() && { baseUrl: baseUrl.trim() };
    return { openapi: openapi.trim(), ...address, auth: pairsOf(pairs, '=') ?? {}, ...common };
  }
  const [command = '', ...args] = split(line);
  return { command, args, env: pairsOf(pairs, '=') ?? {}, ...(cwd.trim() && { cwd: cwd.trim() }), ...common };
}

/** `NAME=value` or `Name: value`, one a line; undefined if a line is neither. */
export function pairsOf(text: string, sign: '=' | ':'): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const line of text.split('\n').filter((some) => some.trim() !== '')) {
    const at = line.indexOf(sign);
    if (at < 1) return undefined;
    const value = line.slice(at + 1);
    pairs[line.slice(0, at).trim()] = sign === ':' ? value.trim() : value;
  }
  return pairs;
}

export function textOfPairs(pairs: Readonly<Record<string, string>>, sign = '='): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}${sign}${value}`)
    .join('\n');
}

/** A command with its arguments as one line; those with spaces are quoted. */
export function wordsOf({ command, args = [] }: ServerSettings): string {
  if (command === undefined) return '';
  return [command, ...args].map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** Words apart by spaces; quotes keep words together. */
export function split(line: string): string[] {
  const words = line.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^\s]+/g) ?? [];
  return words.map((word) => {
    if (word.startsWith("'") && word.endsWith("'") && word.length > 1) return word.slice(1, -1);
    if (!word.startsWith('"') || !word.endsWith('"') || word.length < 2) return word;
    try {
      return JSON.parse(word) as string;
    } catch {
      return word.slice(1, -1);
    }
  });
}
