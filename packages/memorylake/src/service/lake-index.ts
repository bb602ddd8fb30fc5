import type { Collection, IndexedChunk, IndexedDocument, SearchIndex, Storage } from '@atoll-mcp/core/storage';
import type { LakeEmbedder } from '../backends/interface.ts';
import type { Place } from '../domain/document.ts';
import { type SettingRecord, settingCollection } from './memory-record.ts';
import { LanguageIndex } from './vectors/language-index.ts';

/** Stored with each chunk and returned with a hit. */
export interface ChunkPayload {
  readonly text: string;
  readonly place: Place;
  readonly context: string;
}

/** The first chunk of every memory is its card: name, sheets, columns and summary. Passages count from one. */
export const CARD = 0;

type Attributes = NonNullable<IndexedDocument['attributes']>;

const DEFAULT_DIMENSIONS = 384;

/** The search index of a lake, with vectors of one length, and the index of the multilingual model. */
export class LakeIndex {
  readonly languages: LanguageIndex;
  readonly #storage: Storage;
  readonly #embedder: LakeEmbedder | undefined;
  readonly #settings: Collection<SettingRecord>;
  #opened: Promise<{ index: SearchIndex; dimensions: number }> | undefined;

  constructor(storage: Storage, embedder: LakeEmbedder | undefined, multilingual?: LakeEmbedder | undefined) {
    this.languages = new LanguageIndex(storage, multilingual);
    this.#storage = storage;
    this.#embedder = embedder;
    this.#settings = storage.records.collection(settingCollection);
  }

  /** Whether the embedder has as many dimensions as the vectors of the lake. */
  async takesVectors(): Promise<boolean> {
    return this.#embedder !== undefined && (await this.#open()).dimensions === this.#embedder.dimensions;
  }

  async index(): Promise<SearchIndex> {
    return (await this.#open()).index;
  }

  async put(id: string, attributes: Attributes, chunks: readonly IndexedChunk[]): Promise<void> {
    await (await this.index()).upsert({ id, attributes, chunks });
  }

  async updateAttributes(id: string, attributes: Attributes): Promise<void> {
    await (await this.index()).updateAttributes(id, attributes);
    await this.languages.updateAttributes(id, attributes);
  }

  async remove(id: string): Promise<void> {
    await (await this.index()).remove(id);
    await this.languages.remove(id);
  }

  /** Switches to a new index if the embedder has other dimensions; every memory must then be read again. */
  async fitEmbedder(): Promise<void> {
    if (!this.#embedder || (await this.takesVectors())) return;
    await this.#settings.put({ id: 'dimensions', value: String(this.#embedder.dimensions) });
    this.#opened = undefined;
  }

  #open() {
    this.#opened ??= this.#openIndex().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #openIndex() {
    const chosen = await this.#settings.get('dimensions');
    const dimensions = chosen ? Number(chosen.value) : (this.#embedder?.dimensions ?? DEFAULT_DIMENSIONS);
    if (!chosen) await this.#settings.put({ id: 'dimensions', value: String(dimensions) });
    return { index: this.#storage.searchIndex({ name: `chunks_${dimensions}`, dimensions }), dimensions };
  }
}
