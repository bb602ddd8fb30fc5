import { ask } from '../mcp.ts';
import { linkTo } from '../route.ts';
import { fetchMemories, labelOf, listMemories, type Memory, type Place, paramsOf } from './lake.ts';

interface Source {
  readonly memory_id: string;
  readonly name: string;
  readonly place: Readonly<Record<string, unknown>>;
}

/** What was learnt, from where, and since when it holds. */
export interface Note {
  readonly text: string;
  readonly valid_from: string;
  readonly valid_to?: string;
  readonly supersedes?: string;
  readonly superseded_by?: string;
  readonly cites: readonly (Source & { readonly text: string })[];
  readonly source_changed?: readonly (Source & { readonly former: string; readonly present: string | null })[];
}

export type NoteMemory = Memory & { readonly note: Note };

/** The latest notes first, and how many there are. */
export async function listNotes(count: number, signal: AbortSignal) {
  const filter = { kind: 'note' } as const;
  const { n } = await listMemories(0, 1, signal, filter);
  if (n === 0) return { n, notes: [] };
  const { memories } = await listMemories(Math.max(0, n - count), Math.min(count, n), signal, filter);
  const found = await fetchMemories(
    memories.map(({ id }) => id),
    signal,
  );
  const notes = memories
    .map(({ id }) => found[id])
    .filter((memory): memory is NoteMemory => memory?.note !== undefined);
  return { n, notes: notes.reverse() };
}

/** A place that a new note is about, as it travels in an address. */
export function citeOf(query: URLSearchParams): Record<string, unknown> | undefined {
  const id = query.get('cite');
  if (!id) return undefined;
  const [page, sheet, rows, chunk] = ['page', 'sheet', 'rows', 'chunk'].map((name) => query.get(name));
  const place = {
    ...(page && { page: Number(page) }),
    ...(sheet && { sheet }),
    ...(rows && { rows: rows.split(':').map(Number) }),
  };
  if (Object.keys(place).length > 0) return { memory_id: id, place };
  return { memory_id: id, ...(chunk && { chunk: Number(chunk) }) };
}

/** Leads to the form for a note about a place of a document. */
export function noteLink({ id, name }: Memory, { page, sheet, rows, chunk }: Place): string {
  const place = sheet ? { sheet, ...(rows && { rows }) } : page ? { page: String(page) } : {};
  const part = Object.keys(place).length === 0 && chunk ? { chunk: String(chunk) } : {};
  return `${linkTo('lake', 'notes')}?${new URLSearchParams({ cite: id, name, ...place, ...part })}`;
}

export function remember(note: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
  return ask('remember', note, { signal });
}

export function supersede(id: string, text: string, signal: AbortSignal): Promise<unknown> {
  return ask('supersede', { note_id: id, text }, { signal });
}

export function forget(id: string, signal: AbortSignal): Promise<unknown> {
  return ask('forget', { note_ids: [id] }, { signal });
}

/** Where a source stands, as a link and in a few words. */
export function sourceLink({ memory_id: id, name, place }: Source): { href: string; label: string } {
  const label = Object.keys(place).length > 0 ? `${name}, ${labelOf(place)}` : name;
  return { href: `${linkTo('lake', id)}?${paramsOf(place)}`, label };
}
