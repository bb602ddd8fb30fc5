import { ask } from './mcp.ts';

export interface TensorRow {
  readonly uuid: string;
  readonly user_name: string;
  readonly description: string;
  readonly creation_date: string;
  readonly original_dtype: string;
  readonly original_shape: string;
}

export interface ModelRow {
  readonly uuid: string;
  readonly user_name: string;
  readonly description: string;
  readonly has_code: boolean;
  readonly has_weights: boolean;
}

export interface Filters {
  readonly text: string;
  readonly dtype?: string;
  /** How many axes, as typed. */
  readonly axes?: string;
}

export interface Values {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly values: unknown;
  readonly truncated: boolean;
}

export interface Description {
  readonly metadata: Record<string, unknown>;
  readonly statistics: Record<string, number | string | null>;
  readonly histogram: { readonly edges: readonly number[]; readonly counts: readonly number[] };
  readonly sha256: string;
  readonly size_bytes: number;
}

export async function searchTensors(filters: Filters, offset: number, limit: number, signal: AbortSignal) {
  const args = {
    offset,
    limit,
    ...(filters.text && { text: filters.text }),
    ...(filters.dtype && { dtype: filters.dtype }),
    ...(filters.axes && { ndim: Number(filters.axes) }),
  };
  return ask<{ tensors: TensorRow[]; total_items_in_collection: number }>('search_tensors', args, { signal });
}

export async function listModels(signal: AbortSignal): Promise<readonly ModelRow[]> {
  return (await ask<{ models: ModelRow[] }>('list_models', { limit: 200 }, { signal })).models;
}

export function getTensor(id: string, slice: string, signal: AbortSignal): Promise<Values> {
  return ask<Values>('get_tensor', { name_or_uuid: id, ...(slice && { slice }) }, { signal });
}

export function describeTensor(id: string, signal: AbortSignal): Promise<Description> {
  return ask<Description>('describe_tensor', { name_or_uuid: id }, { signal });
}

/** Values of any depth as rows: the last axis goes across, all others down. */
export function rowsOf(values: unknown): { index: string; cells: unknown[] }[] {
  const rows: { index: string; cells: unknown[] }[] = [];
  const walk = (value: unknown, index: readonly number[]) => {
    if (!Array.isArray(value)) rows.push({ index: '', cells: [value] });
    else if (!Array.isArray(value[0])) rows.push({ index: index.join(', '), cells: value });
    else for (const [at, item] of value.entries()) walk(item, [...index, at]);
  };
  walk(values, []);
  return rows;
}
