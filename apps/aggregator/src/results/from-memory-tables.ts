import { isObject, parsedResult } from '@atoll-mcp/core';
import type { Catalog, Entry } from '../catalog/catalog.ts';
import { callValue, failureMessage } from '../code-mode/call-value.ts';
import { findBuiltIn, UPLOAD_TENSOR } from './built-in-tool.ts';
import { noTableTensor, notSaved, queryFailed } from './errors.ts';
import type { SaveOptions } from './save-result.ts';

const QUERY_TABLES = { server: 'memorylake', tool: 'query_memory_tables' };
/** Most that the query returns. */
const MAX_ROWS = 10_000;

export interface TableTensorRequest {
  readonly sql: string;
  readonly name: string;
  readonly memory_ids?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

/** Whether a view has the tools that a tensor of a query takes. */
export function canQueryTables(catalog: Catalog): boolean {
  return [QUERY_TABLES, UPLOAD_TENSOR].every((tool) => findBuiltIn(catalog, tool) !== undefined);
}

/** Both calls are the caller's own, so who may not read the lake's tables gets nothing from them here. */
export async function tensorFromTables(wanted: TableTensorRequest, { catalog, call }: SaveOptions) {
  const { sql, name, memory_ids, description = `Numbers from the lake: ${sql}` } = wanted;
  const [query, upload] = [QUERY_TABLES, UPLOAD_TENSOR].map((tool) => {
    const found = findBuiltIn(catalog, tool);
    if (!found) throw noTableTensor(tool.tool);
    return found;
  }) as [Entry, Entry];
  const asked = { sql, limit: MAX_ROWS, ...(memory_ids && { memory_ids }) };
  const queried = parsedResult(await call({ name: query.name, arguments: asked }));
  if (queried.isError === true) throw queryFailed(`${query.name} failed: ${failureMessage(queried)}`);
  const { columns, rows, notice } = tableIn(callValue(queried, query.definition));
  const values = columns.length === 1 ? rows.map((row) => row[0]) : rows;
  const stored = parsedResult(await call({ name: upload.name, arguments: { name, description, tensor_data: values } }));
  if (stored.isError === true) throw notSaved(upload.name, failureMessage(stored));
  const { uuid } = callValue(stored, upload.definition) as { uuid: string };
  const shape = columns.length === 1 ? [rows.length] : [rows.length, columns.length];
  return { uuid, name: name.trim(), shape, columns, ...(notice !== undefined && { notice }) };
}

function tableIn(value: unknown) {
  const { columns, rows, truncated, notice } = (isObject(value) ? value : {}) as {
    columns: string[];
    rows: unknown[][];
    truncated: boolean;
    notice?: string;
  };
  if (truncated) throw queryFailed(`The query has more than ${MAX_ROWS} rows; narrow it with WHERE, or aggregate`);
  if (rows.length === 0) throw queryFailed('The query gave no rows');
  const numbers = rows.map((row, i) => row.map((cell, column) => numberOf(cell, columns[column]!, i)));
  return { columns, rows: numbers, notice };
}

/** As an upload takes it. Integers that JSON cannot carry are digits. */
function numberOf(cell: unknown, column: string, row: number): number | string {
  if (cell === null) return 'NaN';
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string' && /^-?[1-9]\d*$/.test(cell) && !Number.isSafeInteger(Number(cell))) return cell;
  const shown = JSON.stringify(cell).slice(0, 60);
  throw queryFailed(`The column "${column}" has ${shown} in row ${row + 1}; select columns of numbers`);
}
