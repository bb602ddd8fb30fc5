import type { Catalog } from '../catalog.ts';
import type { LakeModels } from './file-vectors.ts';

/** Counts of files by the state of their vectors. */
interface VectorCounts {
  readonly all: number;
  /** No vectors yet; in progress. */
  readonly underWay: number;
  /** No vectors of the current model, and none in progress. */
  readonly without: number;
  /** Vectors of another model. */
  readonly ofOtherModels: number;
  /** Vectors of the current model, but not of the multilingual one that was installed later. */
  readonly oneLanguage: number;
  /** Names of some files that reindexing would help. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** Counts which files can be found by meaning. */
export async function countVectors(
  { memories }: Pick<Catalog, 'memories'>,
  { embedder, multilingual }: LakeModels,
): Promise<VectorCounts> {
  const ready = { status: 'ready' } as const;
  const own = { ...ready, model: embedder?.identity ?? '' };
  const none = { ...ready, model: null, multilingual: null };
  const other = multilingual?.identity;
  const [all, ownCount, withoutOwn, without, underWay, translated, translatedOwn] = await Promise.all([
    memories.count(ready),
    memories.count(own),
    memories.count({ ...ready, model: null }),
    memories.count(none),
    memories.count({ ...none, leaseUntilMs: { atLeast: 0 } }),
    other === undefined ? 0 : memories.count({ ...ready, multilingual: other }),
    other === undefined ? 0 : memories.count({ ...own, multilingual: other }),
  ]);
  const ofOtherModels = all - ownCount - withoutOwn;
  const counts = {
    all,
    underWay,
    // With the multilingual model a file of another language has no vectors of the other one.
    without: other === undefined ? withoutOwn - underWay : without - underWay,
    ofOtherModels,
    oneLanguage: other === undefined ? 0 : Math.max(0, ownCount - translatedOwn),
  };
  const isIncomplete = counts.without + ofOtherModels + counts.oneLanguage > 0;
  const wanting =
    other !== undefined && translated < all ? { ...ready, multilingual: null } : { ...ready, model: null };
  const { items } = isIncomplete ? await memories.list({ where: wanting, limit: EXAMPLES }) : { items: [] };
  return { ...counts, examples: items.filter(({ pending }) => !pending).map(({ name }) => name) };
}

/** The notice for searches that cannot find every file by meaning. */
export function noticeOf({
  all,
  underWay,
  without,
  ofOtherModels,
  oneLanguage,
  examples,
}: VectorCounts): string | undefined {
  const parts: string[] = [];
  if (underWay > 0) parts.push(`${underWay} of ${all} files are found by keywords only until their vectors are made.`);
  const names = examples.length > 0 ? ` (${examples.join(', ')}${examples.length === EXAMPLES ? ', …' : ''})` : '';
  if (without + ofOtherModels > 0)
    parts.push(
      `${without + ofOtherModels} of ${all} files${names} are found by keywords only: they have no vectors of the current model. Run "memorylake reindex".`,
    );
  else if (oneLanguage > 0)
    parts.push(
      `${oneLanguage} of ${all} files${names} were added before the multilingual model and are found in their own language only. Run "memorylake reindex".`,
    );
  return parts.length === 0 ? undefined : parts.join(' ');
}
