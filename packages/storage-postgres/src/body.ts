import { type CollectionDefinition, invalid, type StoredRecord } from '@atoll-mcp/core/storage';
import { fieldValue } from '@atoll-mcp/storage';

/** A record's columns: JSONB for the generated columns, and the original text if JSONB would change it. */
export interface Row {
  readonly id: string;
  readonly body: string;
  readonly raw: string | null;
  readonly folded: string;
}

// JSONB takes neither NUL nor half a surrogate pair.
// A literal backslash is escaped as a pair.
const FOREIGN =
  /(?<=(?<!\\)(?:\\\\)*)(?:\\u0000|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2})/gi;

export function rowOf<R extends StoredRecord>(definition: CollectionDefinition<R>, record: R): Row {
  for (const field of ['id', ...Object.keys(definition.fields)]) {
    const value = fieldValue(definition, record, field);
    if (typeof value === 'string' && value.includes('\0')) {
      throw invalid(
        `Field "${field}" of "${definition.name}" holds a NUL character, which the database server can't compare.`,
      );
    }
  }
  const text = JSON.stringify(record);
  const body = text.replace(FOREIGN, '\\ufffd');
  const names = (definition.ignoreCase ?? []) as readonly string[];
  const folded = Object.fromEntries(
    names.map((field) => [field, fieldValue(definition, record, field)?.toString().toLowerCase() ?? null]),
  );
  return { id: record.id, body, raw: body === text ? null : text, folded: JSON.stringify(folded) };
}

export function recordOf<R extends StoredRecord>({ body, raw }: { body: unknown; raw: string | null }): R {
  return (raw === null ? body : JSON.parse(raw)) as R;
}
