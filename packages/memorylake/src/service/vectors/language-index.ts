import type {
  Collection,
  IndexedDocument,
  SearchFilter,
  SearchHit,
  SearchIndex,
  Storage,
} from '@atoll-mcp/core/storage';
import type { LakeEmbedder } from '../../backends/interface.ts';
import { MAX_WINDOWS } from '../../domain/text/windows.ts';
import { type SettingRecord, settingCollection } from '../memory-record.ts';

type Attributes = NonNullable<IndexedDocument['attributes']>;

const SETTING = 'multilingual_dimensions';
/** Entries per document of the index. */
const MAX_PASSAGES = 2 ** 20 / MAX_WINDOWS;

/**
 * Vectors of the multilingual model, in an index of their own. Passage n has the entries from n × MAX_WINDOWS on, one for each of its
 * windows.
 */
export class LanguageIndex {
  readonly #storage: Storage;
  readonly #embedder: LakeEmbedder | undefined;
  readonly #settings: Collection<SettingRecord>;
  #opened: Promise<SearchIndex | undefined> | undefined;

  constructor(storage: Storage, embedder: LakeEmbedder | undefined) {
    this.#storage = storage;
    this.#embedder = embedder;
    this.#settings = storage.records.collection(settingCollection);
  }

  /** Replaces the vectors of a memory: for each passage one or more. */
  async put(id: string, attributes: Attributes, passages: readonly (readonly Float32Array[])[]): Promise<void> {
    const index = await this.#open(true);
    const chunks = passages
      .slice(0, MAX_PASSAGES)
      .flatMap((vectors) => Array.from({ length: MAX_WINDOWS }, (_, at) => ({ terms: [], vector: vectors[at] })));
    await index?.upsert({ id, attributes, chunks });
  }

  async updateAttributes(id: string, attributes: Attributes): Promise<void> {
    await (await this.#open(false))?.updateAttributes(id, attributes);
  }

  async remove(id: string): Promise<void> {
    await (await this.#open(false))?.remove(id);
  }

  /** The passages nearest to a vector, each by the nearest of its windows. */
  async search(vector: Float32Array, options: { k: number; filter: SearchFilter; signal?: AbortSignal }) {
    const { k, filter, ...rest } = options;
    const index = await this.#open(false);
    if (!index) return [];
    const own = { ...filter, attributes: { ...filter.attributes, multilingual: this.#embedder!.identity } };
    const { vector: hits } = await index.search({ vector, k: k * 2, filter: own, ...rest });
    const best = new Map<string, SearchHit>();
    for (const { documentId, chunk: entry, score } of hits) {
      const chunk = Math.floor(entry / MAX_WINDOWS);
      const key = `${documentId}\n${chunk}`;
      if (!best.has(key)) best.set(key, { documentId, chunk, score });
    }
    return [...best.values()].slice(0, k);
  }

  /** Also without the model: removed memories must not be found when it is installed again. */
  #open(create: boolean): Promise<SearchIndex | undefined> {
    this.#opened ??= this.#openIndex(create).then(
      (index) => {
        if (!index) this.#opened = undefined;
        return index;
      },
      (error) => {
        this.#opened = undefined;
        throw error;
      },
    );
    return this.#opened;
  }

  async #openIndex(create: boolean): Promise<SearchIndex | undefined> {
    const former = await this.#settings.get(SETTING);
    const dimensions = this.#embedder?.dimensions ?? Number(former?.value ?? 0);
    if (dimensions === 0 || (!former && !create)) return undefined;
    if (former?.value !== String(dimensions)) await this.#settings.put({ id: SETTING, value: String(dimensions) });
    return this.#storage.searchIndex({ name: `languages_${dimensions}`, dimensions });
  }
}
