import { tokeniseForIndex } from '@atoll-mcp/storage/search';
import { attributeFilter, type MemoryFilter, passes } from '../../domain/organise/memory-filter.ts';
import { resemblance, shingles } from '../../domain/similar/shingles.ts';
import type { Catalog } from '../catalog.ts';
import type { LakeIndex } from '../lake-index.ts';
import type { PassageSource } from '../memory-reader.ts';
import type { MemoryRecord } from '../memory-record.ts';

export interface SimilarMemory {
  readonly memory: MemoryRecord;
  /** Share of what both say that both say, 0 to 1. */
  readonly similarity: number;
}

/** Passages, spread over the memory, that are searched for candidates. */
const PROBES = 5;
const TERMS = 24;
const PER_PROBE = 20;
const CANDIDATES = 10;
/** Passages compared of each memory. */
const COMPARED = 400;

/** Finds memories with nearly the same text: candidates by keywords, then compared by shingles. */
export class Similar {
  readonly #options: { catalog: Catalog; index: LakeIndex; passages: PassageSource };

  constructor(options: { catalog: Catalog; index: LakeIndex; passages: PassageSource }) {
    this.#options = options;
  }

  async find(memory: MemoryRecord, minSimilarity: number, filter: MemoryFilter = {}): Promise<SimilarMemory[]> {
    const { catalog, passages } = this.#options;
    const own = await passages(memory, 1, COMPARED);
    const candidates = await catalog.memories.getMany(await this.#candidates(memory.id, own, filter));
    const wanted = shingles(own.map(({ text }) => text).join('\n'));
    const found: SimilarMemory[] = [];
    for (const candidate of candidates) {
      if (candidate?.status !== 'ready' || candidate.kind !== undefined || !passes(filter, candidate)) continue;
      const text = (await passages(candidate, 1, COMPARED)).map((passage) => passage.text).join('\n');
      const similarity = Math.round(resemblance(wanted, shingles(text)) * 1_000) / 1_000;
      if (similarity >= minSimilarity) found.push({ memory: candidate, similarity });
    }
    return found.sort((a, b) => b.similarity - a.similarity);
  }

  async #candidates(
    id: string,
    passages: readonly { readonly text: string }[],
    filter: MemoryFilter,
  ): Promise<string[]> {
    const index = await this.#options.index.index();
    const attributes = attributeFilter(filter);
    const votes = new Map<string, number>();
    const step = Math.max(1, passages.length / PROBES);
    for (let at = 0; at < passages.length; at += step) {
      const words = [...new Set(tokeniseForIndex(passages[Math.floor(at)]!.text))];
      const terms = words.sort((a, b) => b.length - a.length).slice(0, TERMS);
      const { lexical } = await index.search({
        terms: terms.map((term) => ({ term })),
        k: PER_PROBE,
        filter: { attributes },
      });
      for (const documentId of new Set(lexical.map((hit) => hit.documentId)))
        if (documentId !== id) votes.set(documentId, (votes.get(documentId) ?? 0) + 1);
    }
    const ranked = [...votes].sort(([, a], [, b]) => b - a);
    return ranked.slice(0, CANDIDATES).map(([documentId]) => documentId);
  }
}
