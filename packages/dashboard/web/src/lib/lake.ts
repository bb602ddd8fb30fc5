import { ask } from './mcp.ts';

export interface Memory {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly summary?: string;
  readonly size_bytes?: number;
  readonly num_chunks?: number;
  readonly num_tables?: number;
  readonly num_figures?: number;
  readonly sheet_names?: readonly string[];
}

/** Where in a document something stands; which parts are there depends on its type. */
export interface Place {
  readonly page?: number;
  readonly sheet?: string;
  readonly rows?: string;
  readonly line?: number;
  readonly chunk?: number;
}

export interface Hit {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly score?: number;
  readonly snippets?: readonly { readonly text: string; readonly label: string; readonly place: URLSearchParams }[];
}

export interface SearchAnswer {
  readonly results: readonly Hit[];
  readonly n: number;
}

interface RawHit {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly score?: number;
  readonly snippets?: readonly {
    readonly text: string;
    readonly place?: Record<string, unknown>;
    readonly chunk?: number;
  }[];
}

export async function search(query: string, signal: AbortSignal): Promise<SearchAnswer> {
  const { result } = await ask<{ result: { results: RawHit[]; n: number } }>(
    'search_memory',
    { query, limit: 20 },
    { signal },
  );
  return {
    n: result.n,
    results: result.results.map(({ snippets = [], ...hit }) => ({
      ...hit,
      snippets: snippets.map(({ text, place = {}, chunk }) => ({
        text,
        label: labelOf(place),
        place: paramsOf({ ...place, chunk }),
      })),
    })),
  };
}

export async function listMemories(
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<{ memories: readonly Memory[]; n: number }> {
  return (await ask<{ result: { memories: Memory[]; n: number } }>('list_memories', { offset, limit }, { signal }))
    .result;
}

export async function readMemory(id: string, place: Place, signal: AbortSignal) {
  const args = { memory_id: id, ...place };
  return (
    await ask<{ result: { id: string; name: string; place: unknown; text: string } }>('read_memory', args, { signal })
  ).result;
}

export async function fetchMemory(id: string, signal: AbortSignal): Promise<Memory | undefined> {
  const found = await ask<Record<string, Memory>>('fetch_memory', { memory_ids: [id] }, { signal });
  return found[id];
}

export function placeOf(query: URLSearchParams): Place {
  const page = query.get('page');
  const chunk = query.get('chunk');
  const sheet = query.get('sheet');
  const rows = query.get('rows');
  return {
    ...(page && { page: Number(page) }),
    ...(sheet && { sheet }),
    ...(rows && { rows }),
    ...(chunk && !page && !sheet && { chunk: Number(chunk) }),
  };
}

function labelOf(place: Record<string, unknown>): string {
  const words = Object.entries(place)
    .filter(([name, value]) => value !== undefined && value !== null && !['chunk', 'memory_id'].includes(name))
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${Array.isArray(value) ? value.join('–') : value}`);
  return words.join(', ') || 'open';
}

/** A place as the arguments that read_memory takes. */
function paramsOf({ page, sheet, rows, chunk }: Record<string, unknown>): URLSearchParams {
  const params = new URLSearchParams();
  if (typeof page === 'number') params.set('page', String(page));
  if (typeof sheet === 'string') params.set('sheet', sheet);
  if (Array.isArray(rows)) params.set('rows', rows.join(':'));
  if (typeof chunk === 'number' && chunk > 0) params.set('chunk', String(chunk));
  return params;
}
