import type { RefusedFile } from './interface.ts';

const MAX_NAME = 255;
const MAX_DEPTH = 8;

/** Why a file cannot have this name, or nothing. The name comes from untrusted code and may be used as a path. */
export function fileNameProblem(name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME) return `Its name must have 1 to ${MAX_NAME} characters`;
  const parts = name.split('/');
  if (parts.length > MAX_DEPTH) return `It is nested more than ${MAX_DEPTH} folders deep`;
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'Its name is not a plain path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\\\u0000-\u001f\u007f]/.test(name) ? 'Its name has a backslash or a control character' : undefined;
}

export const tooManyFiles = (name: string, max: number): RefusedFile => ({
  name,
  reason: `More than ${max} files were written`,
});

export const fileTooLarge = (name: string, size: number, max: number): RefusedFile => ({
  name,
  reason: `It has ${size} bytes; the files of one run may have ${max} bytes together`,
});
