import type { YAMLParseError } from 'yaml';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    string: 'text',
    array: 'a list',
    object: 'settings by name',
    record: 'settings by name',
  }),
);

/** What is wrong with a value, for a reader who does not know schemas. */
export function issueWords(issue: Issue): string {
  const kind = issue.code === 'invalid_type' ? KINDS.get(issue.expected) : undefined;
  return kind === undefined ? issue.message : `must be ${kind}`;
}

/** Why a configuration file cannot be read, with the place where that is known. */
export function fileWords(error: unknown): string {
  if (isParseError(error)) {
    const [start] = error.linePos ?? [];
    return `is neither JSON nor YAML${start ? ` (line ${start.line}, column ${start.col})` : ''}`;
  }
  const { code } = error as NodeJS.ErrnoException;
  // Some errors, such as an undefined alias, only appear when the values are built.
  if (code === undefined) return 'is neither JSON nor YAML';
  if (code === 'ENOENT') return 'file not found';
  return code === 'EISDIR' ? 'is a folder; give a file' : `cannot be read (${code})`;
}

/** By its name, so that the parser is not loaded for it. */
const isParseError = (error: unknown): error is YAMLParseError =>
  error instanceof Error && error.name === 'YAMLParseError';
