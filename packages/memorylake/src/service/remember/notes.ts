import type { Storage } from '@atoll-mcp/core/storage';
import type { CitedPlace } from '../../domain/remember/cited-place.ts';
import { clip } from '../../domain/summarise.ts';
import { noteNotFound, noteSuperseded, validFromTooEarly } from '../../errors.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import type { Library } from '../library.ts';
import {
  attributeUpdateCollection,
  type Cite,
  type MemoryRecord,
  memoryCollection,
  type NoteFacts,
  newMemory,
} from '../memory-record.ts';
import { type Organiser, organised } from '../organise/organiser.ts';
import { withTimeout } from '../with-timeout.ts';
import type { ChangedSource, CitedTexts } from './cited-texts.ts';

interface NewNote {
  readonly text: string;
  readonly cites?: readonly ({ readonly memoryId: string } & CitedPlace)[] | undefined;
  readonly collection?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Start of validity; default now. */
  readonly validFromMs?: number | undefined;
}

type NoteRecord = MemoryRecord & { readonly note: NoteFacts };

const NAME = 80;
const CALL_TIMEOUT_MS = 45_000;

/** Notes are memories with cited sources, searched together with files. */
export class Notes {
  readonly #options: NotesOptions;

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  async remember({ cites = [], ...note }: NewNote): Promise<NoteRecord> {
    const { cited } = this.#options;
    const found: Cite[] = [];
    for (const { memoryId, ...place } of cites) found.push(await cited.cite(memoryId, place));
    return this.#store({ ...note, cites: found });
  }

  /** Replaces a note that is no longer valid; both are kept and dated. The new note cites the same places in their current state. */
  async supersede(
    id: string,
    change: { readonly text: string; readonly validFromMs?: number | undefined },
    mayCite: (memoryId: string) => Promise<boolean> = async () => true,
  ): Promise<{ note: NoteRecord; former: NoteRecord; dropped: readonly Cite[] }> {
    const former = await this.#find(id);
    const { collection, tags } = former;
    const cites: Cite[] = [];
    const dropped: Cite[] = [];
    for (const cite of former.note.cites) {
      const isThere = await mayCite(cite.memoryId);
      const renewed = isThere && (await this.#options.cited.cite(cite.memoryId, cite.place).catch(() => undefined));
      if (renewed) cites.push(renewed);
      else dropped.push(cite);
    }
    const note = await this.#store({ ...change, collection, tags, cites }, former);
    return { note, former: await this.#find(id), dropped };
  }

  async forget(ids: readonly string[]): Promise<{ forgotten: string[]; notFound: string[] }> {
    const records = await this.#memories.getMany([...new Set(ids)]);
    const notes = records.flatMap((record) => (record?.kind === 'note' ? [record.id] : []));
    const { deleted } = await this.#options.library.remove(notes);
    return { forgotten: deleted, notFound: [...new Set(ids)].filter((id) => !deleted.includes(id)) };
  }

  async hasSuperseded(): Promise<boolean> {
    return (await this.#memories.count({ superseded: true })) > 0;
  }

  /** The cites of a note whose text has changed since. */
  async changesOf({ note }: Pick<MemoryRecord, 'note'>): Promise<ChangedSource[]> {
    const [changes = []] = await this.#options.cited.changesOf([note?.cites ?? []]);
    return changes;
  }

  /** Adds to each note that was found which of its sources have changed. */
  async addSources<Found extends { readonly memory: MemoryRecord }>(found: readonly Found[]) {
    const changes = await this.#options.cited.changesOf(found.map(({ memory }) => memory.note?.cites ?? []));
    return found.map((hit, at) => (hit.memory.note ? { ...hit, changes: changes[at]! } : hit));
  }

  async #find(id: string): Promise<NoteRecord> {
    const record = await this.#memories.get(id);
    if (!record?.note) throw noteNotFound(id);
    return { ...record, note: record.note };
  }

  async #store(
    { text, cites, validFromMs, ...about }: Omit<NewNote, 'cites'> & { readonly cites: readonly Cite[] },
    former?: NoteRecord,
  ): Promise<NoteRecord> {
    const { storage, ingest, organiser, now, newId, owner } = this.#options;
    const blob = await storage.blobs.put(Buffer.from(text, 'utf8'));
    const nowMs = now().getTime();
    const since = validFromMs ?? nowMs;
    const name = clip(text.trim().split('\n')[0]!, NAME);
    const id = `note-${newId()}`;
    const pending = { blobKey: blob.key, name, sizeBytes: blob.sizeBytes, owner };
    const made = newMemory(id, { name, blob, type: 'txt_file' }, pending, { nowMs, leaseUntilMs: nowMs + 30_000 });
    const note = { text, cites, validFromMs: since, validToMs: null, ...(former && { supersedes: former.id }) };
    // Salted, so that a file with the same bytes has another hash and stays a separate memory.
    const record = { ...organised(made, about), kind: 'note' as const, sha256: `note:${blob.sha256}`, note };
    await storage.records.transaction(async (tables) => {
      const memories = tables.collection(memoryCollection);
      const old = former && (await memories.get(former.id));
      if (former && !old?.note) throw noteNotFound(former.id);
      if (old?.note) {
        if (old.note.supersededBy !== undefined) throw noteSuperseded(old.id, old.note.supersededBy);
        if (since < old.note.validFromMs) throw validFromTooEarly(new Date(old.note.validFromMs).toISOString());
        const ended = { ...old.note, validToMs: since, supersededBy: id };
        await memories.put({ ...old, note: ended, superseded: true, updatedMs: nowMs });
        await tables.collection(attributeUpdateCollection).put({ id: old.id, sinceMs: nowMs });
      }
      await memories.put(record);
    });
    if (former) await organiser.updateIndex(former.id);
    const settled = await withTimeout(ingest.process(id), CALL_TIMEOUT_MS);
    return { ...(settled ?? record), note };
  }

  get #memories() {
    return this.#options.storage.records.collection(memoryCollection);
  }
}

interface NotesOptions {
  readonly storage: Storage;
  readonly organiser: Organiser;
  readonly library: Library;
  readonly ingest: IngestPipeline;
  readonly cited: CitedTexts;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly owner: string;
}
