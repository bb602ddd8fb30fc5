import { ask, request } from '../mcp.ts';
import { t } from '../texts.ts';
import type { Note } from './notes.ts';

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
  readonly collection?: string;
  readonly tags?: readonly string[];
  readonly note?: Note;
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
  readonly notice?: string;
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

/** What a search or a list is narrowed to. */
export interface LakeFilter {
  readonly kind?: 'file' | 'note';
  readonly collection?: string;
  readonly tags?: readonly string[];
  readonly name_contains?: string;
}

export async function search(query: string, filter: LakeFilter, signal: AbortSignal): Promise<SearchAnswer> {
  const { result } = await ask<{ result: { results: RawHit[]; n: number; notice?: string } }>(
    'search_memory',
    { query, limit: 20, ...filter },
    { signal },
  );
  return {
    n: result.n,
    ...(result.notice !== undefined && { notice: result.notice }),
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
  filter: LakeFilter = {},
): Promise<{ memories: readonly Memory[]; n: number }> {
  const args = { offset, limit, ...filter };
  return (await ask<{ result: { memories: Memory[]; n: number } }>('list_memories', args, { signal })).result;
}

export async function readMemory(id: string, place: Place, signal: AbortSignal) {
  const args = { memory_id: id, ...place };
  return (
    await ask<{ result: { id: string; name: string; place: unknown; text: string } }>('read_memory', args, { signal })
  ).result;
}

export function fetchMemories(ids: readonly string[], signal: AbortSignal): Promise<Record<string, Memory>> {
  return ask<Record<string, Memory>>('fetch_memory', { memory_ids: ids }, { signal });
}

export async function fetchMemory(id: string, signal: AbortSignal): Promise<Memory | undefined> {
  const memory = (await fetchMemories([id], signal))[id];
  return memory?.status === 'not_found' ? undefined : memory;
}

export interface Collection {
  readonly name: string;
  readonly description: string;
  readonly num_memories: number;
}

export async function listCollections(signal: AbortSignal): Promise<readonly Collection[]> {
  return (await ask<{ result: { collections: Collection[] } }>('list_collections', {}, { signal })).result.collections;
}

/** Tags as they are typed, apart by commas. */
export function tagsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}

/** Boxes as they travel in an address: four numbers each, in points from the top left of the page. */
export function boxesOf(query: URLSearchParams): readonly (readonly number[])[] {
  const boxes = (query.get('boxes') ?? '').split(';').map((box) => box.split(',').map(Number));
  return boxes.filter((box) => box.length === 4 && box.every(Number.isFinite));
}

export interface PageImage {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  readonly pages: number;
}

/** A page of a PDF as the server draws it. */
export async function drawPage(id: string, page: number, signal: AbortSignal): Promise<PageImage> {
  const uri = `memory://${id}/pages/${page}.png`;
  const { contents } = await request<{ contents: { blob: string; _meta: Record<string, number> }[] }>(
    'resources/read',
    { uri },
    { signal },
  );
  const { blob = '', _meta = {} } = contents[0] ?? {};
  const { width_points: width = 1, height_points: height = 1, pages = page } = _meta;
  return { src: `data:image/png;base64,${blob}`, width, height, pages };
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

/** A place in a few words, as one would cite it. */
export function labelOf({
  page,
  slide,
  sheet,
  rows,
  lines,
  paragraphs,
  part,
  headings,
}: Record<string, unknown>): string {
  const range = (one: string, several: string, value: unknown) => {
    const [first, last] = Array.isArray(value) ? value : [];
    return first === undefined ? '' : first === last ? `${one} ${first}` : `${several} ${first}–${last}`;
  };
  const words = [
    page ? t('page {page}', { page }) : '',
    slide ? t('slide {slide}', { slide }) : '',
    sheet ? t('sheet {sheet}', { sheet }) : '',
    range(t('row'), t('rows'), rows),
    range(t('line'), t('lines'), lines),
    page || slide ? '' : range(t('paragraph'), t('paragraphs'), paragraphs),
    typeof part === 'string' ? part : '',
    Array.isArray(headings) ? t('under “{at}”', { at: headings.at(-1) }) : '',
  ];
  return words.filter(Boolean).join(', ') || t('open');
}

/** A place as the arguments that read_memory takes. */
export function paramsOf({ page, boxes, sheet, rows, chunk }: Record<string, unknown>): URLSearchParams {
  const params = new URLSearchParams();
  if (typeof page === 'number') params.set('page', String(page));
  if (Array.isArray(boxes))
    params.set('boxes', boxes.map((box) => (box as number[]).map(Math.round).join(',')).join(';'));
  if (typeof sheet === 'string') params.set('sheet', sheet);
  if (Array.isArray(rows)) params.set('rows', rows.join(':'));
  if (typeof chunk === 'number' && chunk > 0) params.set('chunk', String(chunk));
  return params;
}
