import type { Catalog } from '../catalog.ts';
import type { LakeModels } from './file-vectors.ts';

/** Files by what their vectors are. */
export interface VectorCounts {
  readonly all: number;
  /** None yet: they are being made. */
  readonly underWay: number;
  /** None of the current model, as far as anything will change by itself. */
  readonly without: number;
  /** Of another model. */
  readonly ofOtherModels: number;
  /** Of the present model, and not of the multilingual one that was installed since. */
  readonly oneLanguage: number;
  /** Some of those that reading again would help, by name. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/** How many files meaning can find, and how many it cannot yet, not without reading them again, or in one language only. */
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

/** What a search that could do less than it should says of it. */
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
