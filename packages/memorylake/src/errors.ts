import { ToolError } from '@atoll-mcp/core';

export const invalidInput = (problems: string) => new ToolError('INVALID_INPUT', `Invalid arguments: ${problems}`);

/** An internal failure. Only messages of `StorageError` are passed on, because they are written for users. */
export const internalError = (cause: unknown) => {
  const isStorage = cause instanceof Error && cause.name === 'StorageError';
  const message = isStorage
    ? `The lake could not use its store: ${cause.message}`
    : 'Something went wrong inside the lake; its log says what. The files are safe.';
  return new ToolError('INTERNAL_ERROR', message, { cause });
};

export const memoryNotFound = (id: string) =>
  new ToolError('MEMORY_NOT_FOUND', `Memory "${id}" does not exist. list_memories shows all ids.`);

export const memoryNotReady = (id: string, name: string, status: string, reason: string | null) =>
  new ToolError(
    'MEMORY_NOT_READY',
    status === 'failed'
      ? `"${name}" (${id}) could not be read: ${reason}.`
      : `"${name}" (${id}) is still being read; list_memories shows when it is ready.`,
  );

export const collectionNotFound = (name: string, names: readonly string[]) =>
  new ToolError(
    'COLLECTION_NOT_FOUND',
    `Collection "${name}" does not exist. Collections: ${names.slice(0, 50).join(', ') || 'none'}.`,
  );

export const fileUnreadable = (name: string, reason: string, cause?: unknown) =>
  new ToolError('FILE_UNREADABLE', `"${name}" could not be read. ${reason}`.trim(), { cause });

export const searchFailed = (cause: unknown) =>
  new ToolError('SEARCH_FAILED', 'The search failed, so this says nothing about what the lake holds. Try again.', {
    cause,
  });

export const emptyQuery = () =>
  new ToolError(
    'EMPTY_QUERY',
    'There is nothing to search for. Give "query" or "parsed_query" with at least one word.',
  );

export const nothingToAdd = () =>
  new ToolError('NOTHING_TO_ADD', 'Give exactly one of "text", "base64" and "path" beside the name.');

export const notBase64 = () => new ToolError('NOT_BASE64', '"base64" is not valid base64.');

export const limitedImport = () =>
  new ToolError(
    'IMPORT_REFUSED',
    'Files are not taken by path from callers who are limited to collections. Send the content as text or base64.',
  );

export const importRefused = (path: string, roots: readonly string[]) =>
  new ToolError(
    'IMPORT_REFUSED',
    roots.length === 0
      ? `"${path}" cannot be read: imports by path are off. Start memorylake with --import-root DIR.`
      : `"${path}" is not a file inside the import folders (${roots.join(', ')}).`,
  );

export const tooLarge = (maxBytes: number) =>
  new ToolError(
    'TOO_LARGE',
    `The file has more than ${maxBytes / 2 ** 20} MB, the most that is taken. Start memorylake with a higher --max-file-mb.`,
  );

export const placeNotFound = (name: string, what: string, available: string) =>
  new ToolError('PLACE_NOT_FOUND', `"${name}" has no ${what}. ${available}`.trim());

export const offsetTooLarge = (offset: number, length: number) =>
  new ToolError('PLACE_NOT_FOUND', `Offset ${offset} is beyond the end: the text has ${length} characters.`);

export const badRows = (rows: string) =>
  new ToolError('BAD_ROWS', `"${rows}" is not a range. Write "1:50": first and last, both included.`);

export const executorNotFound = (id: string) =>
  new ToolError('EXECUTOR_NOT_FOUND', `Executor "${id}" does not exist. create_memory_code_runner creates one.`);

const EXECUTOR_CODES = {
  closed: 'EXECUTOR_CLOSED',
  expired: 'EXECUTOR_EXPIRED',
  killed: 'EXECUTOR_KILLED',
} as const;

export const executorEnded = (id: string, how: 'closed' | 'expired' | 'killed') =>
  new ToolError(
    EXECUTOR_CODES[how],
    `Executor "${id}" ${HOW[how]} Its variables are lost; create_memory_code_runner creates a new one.`,
  );

const HOW = {
  closed: 'was closed.',
  expired: 'has expired: it was unused for too long, or made room for another.',
  killed: 'was killed: its code went over a limit or crashed the interpreter.',
} as const;

export const codeUnavailable = (language: string, reason: string, fix: string | undefined) =>
  new ToolError(
    'CODE_UNAVAILABLE',
    `${language} code cannot run here: ${reason.replace(/\.$/, '')}.${fix ? ` To repair it: ${fix}` : ''}`,
  );

export const runnerBusy = () =>
  new ToolError(
    'RUNNER_BUSY',
    'All executors are busy. Wait for one to finish, or close one with close_memory_code_runner.',
  );

export const sqlFailed = (why: string, tables: string) =>
  new ToolError('SQL_FAILED', `The query failed: ${why.replace(/\.$/, '')}. ${tables}`);

export const noTables = () =>
  new ToolError('NO_TABLES', 'The lake has no tables, or none of the given memories has one.');

export const chartFailed = (why: string) => new ToolError('CHART_FAILED', `The chart cannot be drawn: ${why}`);

export const chartsUnavailable = () =>
  new ToolError(
    'CHARTS_UNAVAILABLE',
    'Charts cannot be drawn here: they need packages that are not installed with memorylake. Run this in the folder where it is installed, and start it again: npm install vega vega-lite vega-interpreter @napi-rs/canvas roboto-fontface',
  );

export const noteNotFound = (id: string) =>
  new ToolError(
    'NOTE_NOT_FOUND',
    `Note "${id}" does not exist. search_memory with kind "note" finds notes, list_memories with kind "note" lists them.`,
  );

export const noteSuperseded = (id: string, by: string) =>
  new ToolError('NOTE_SUPERSEDED', `Note "${id}" is already superseded by "${by}"; supersede that one.`);

export const validFromTooEarly = (since: string) =>
  new ToolError(
    'VALID_FROM_TOO_EARLY',
    `"valid_from" is before the time from which the former note holds (${since}). Give a later time.`,
  );

export const versionNotFound = (name: string, version: number, available: readonly number[]) =>
  new ToolError('VERSION_NOT_FOUND', `"${name}" has no version ${version}. It has: ${available.join(', ')}.`);

export const diffTooLarge = (name: string) =>
  new ToolError(
    'DIFF_TOO_LARGE',
    `The two versions of "${name}" differ too much to be compared line by line. Read both with read_memory.`,
  );
