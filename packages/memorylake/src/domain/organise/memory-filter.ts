import type { FieldValue, NumberRange } from '@atoll-mcp/core/storage';

export const DEFAULT_COLLECTION = 'default';

/** What lists, searches and queries can be narrowed by. */
export interface MemoryFilter {
  readonly collection?: string | undefined;
  /** What the caller is limited to; a collection outside of these is not there. */
  readonly collections?: readonly string[] | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** Added at this time or later, in milliseconds. */
  readonly createdAfterMs?: number | undefined;
  /** Added before this time. */
  readonly createdBeforeMs?: number | undefined;
  readonly kind?: MemoryKind | undefined;
  /** Only notes that held at this time. */
  readonly asOfMs?: number | undefined;
  /** Leaves out notes that a newer one superseded. */
  readonly currentOnly?: boolean | undefined;
}

type MemoryKind = 'file' | 'note';

/** What is narrowed by, of one memory or note. */
interface Organised {
  readonly collection?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly createdMs: number;
  readonly note?: { readonly validFromMs: number; readonly validToMs: number | null } | undefined;
}

export const collectionOf = ({ collection }: Pick<Organised, 'collection'>): string => collection ?? DEFAULT_COLLECTION;

/** How an index knows them. */
export const organisedAttributes = (memory: Organised): Record<string, FieldValue> => ({
  collection: collectionOf(memory),
  createdMs: memory.createdMs,
  ...Object.fromEntries((memory.tags ?? []).map((tag) => [`tag:${tag}`, true])),
  ...(memory.note && {
    kind: 'note',
    superseded: memory.note.validToMs !== null,
    validFromMs: memory.note.validFromMs,
    validToMs: memory.note.validToMs ?? Number.MAX_SAFE_INTEGER,
  }),
});

/** The same as a filter of an index. Documents of older lakes have no collection and are in the default one. */
export function attributeFilter(
  filter: MemoryFilter,
): Record<string, FieldValue | readonly FieldValue[] | NumberRange> {
  const { tags = [], createdAfterMs, createdBeforeMs, kind, asOfMs, currentOnly } = filter;
  return {
    ...(kind !== undefined && { kind: kind === 'note' ? kind : [null] }),
    ...(asOfMs === undefined
      ? currentOnly && kind !== 'file' && { superseded: [null, false] }
      : { kind: 'note', validFromMs: { atMost: asOfMs }, validToMs: { atLeast: asOfMs + 1 } }),
    ...collectionFilter(filter, (values) => values),
    ...Object.fromEntries(tags.map((tag) => [`tag:${tag}`, true])),
    ...((createdAfterMs !== undefined || createdBeforeMs !== undefined) && {
      createdMs: {
        ...(createdAfterMs !== undefined && { atLeast: createdAfterMs }),
        ...(createdBeforeMs !== undefined && { atMost: createdBeforeMs - 1 }),
      },
    }),
  };
}

/** A collection's name among values, where an absent value means the default collection. */
export const orAbsent = (collection: string): readonly FieldValue[] =>
  collection === DEFAULT_COLLECTION ? [collection, null] : [collection];

/** The condition on a collection, in the form of a store or an index; none where all collections are meant. */
export function collectionFilter<Condition>(
  { collection, collections }: Pick<MemoryFilter, 'collection' | 'collections'>,
  among: (values: readonly FieldValue[]) => Condition,
): { readonly collection?: Condition } {
  if (collection === undefined) return collections ? { collection: among(collections.flatMap(orAbsent)) } : {};
  return { collection: among(isWithin(collections, collection) ? orAbsent(collection) : []) };
}

/** Whether a caller with this limit may use a collection. */
export const isWithin = (limit: readonly string[] | undefined, collection: string): boolean =>
  limit === undefined || limit.includes(collection);

export function passes(filter: MemoryFilter, memory: Organised): boolean {
  const { collection, tags = [], createdAfterMs = 0, createdBeforeMs = Number.POSITIVE_INFINITY } = filter;
  return (
    (collection === undefined || collectionOf(memory) === collection) &&
    isWithin(filter.collections, collectionOf(memory)) &&
    tags.every((tag) => memory.tags?.includes(tag)) &&
    memory.createdMs >= createdAfterMs &&
    memory.createdMs < createdBeforeMs
  );
}

/** Tags are compared without regard to case, so they are kept in lower case, each once. */
export const cleanTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== '')),
];

const EDGE = '\u001f';

/** All tags in one text, each between edges, so that a store can look for one. */
export const tagText = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : `${EDGE}${tags.join(EDGE)}${EDGE}`;

export const tagWithin = (tag: string): string => `${EDGE}${tag}${EDGE}`;
