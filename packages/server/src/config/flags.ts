import { parseArgs } from 'node:util';
import type { ConfigField } from './config-fields.ts';

export interface Flags {
  readonly values: ReadonlyMap<string, string | string[] | boolean>;
  /** What is not a flag: a command and its arguments. */
  readonly words: readonly string[];
  readonly configFile: string | undefined;
  readonly problems: readonly string[];
}

/** Reads a command line against the fields; names in `extra` belong to a command and are left alone. One that ends in `=` takes a value. */
export function readFlags(
  fields: readonly ConfigField[],
  argv: readonly string[],
  extra: readonly string[] = [],
): Flags {
  const known = new Map(fields.filter(({ flag }) => flag).map((field) => [field.flag as string, field]));
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = { config: { type: 'string' } };
  for (const [flag, { kind }] of known)
    options[flag] = { type: kind === 'boolean' ? 'boolean' : 'string', multiple: kind === 'list' };
  for (const name of extra) if (name.endsWith('=')) options[name.slice(0, -1)] = { type: 'string', multiple: true };
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
    allowNegative: true,
  });

  const values = new Map<string, string | string[] | boolean>();
  const words: string[] = [];
  const problems: string[] = [];
  let configFile: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option' || extra.includes(token.name)) continue;
    if (extra.includes(`${token.name}=`)) {
      if (token.value === undefined || token.value.startsWith('--')) problems.push(`${token.rawName}: needs a value`);
      continue;
    }
    const negated = token.rawName.startsWith('--no-') && !known.has(token.name);
    const field = known.get(negated ? token.name.slice(3) : token.name);
    if (token.name === 'config') {
      if (token.value === undefined) problems.push('--config: needs a file');
      configFile = token.value;
    } else if (!field) {
      problems.push(`${token.rawName}: unknown option; --help lists all options`);
    } else if (field.kind === 'boolean') {
      values.set(field.key, token.value ?? !token.rawName.startsWith('--no-'));
    } else if (token.value === undefined || token.value.startsWith('--')) {
      problems.push(`${token.rawName}: needs a value`);
    } else if (field.kind === 'list') {
      values.set(field.key, [...((values.get(field.key) as string[] | undefined) ?? []), token.value]);
    } else {
      values.set(field.key, token.value);
    }
  }
  return { values, words, configFile, problems };
}
