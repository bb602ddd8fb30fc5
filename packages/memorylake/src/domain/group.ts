import type { Fused } from './fuse.ts';

export interface MemoryMatch {
  readonly memoryId: string;
  readonly score: number;
  /** The best chunks first. */
  readonly chunks: readonly Fused[];
}

/** A second and third good passage make a memory likelier, each less than the one before. */
const SHARES = [1, 0.15, 0.05];

/** One entry per memory, best first. */
export function groupByMemory(hits: readonly Fused[]): MemoryMatch[] {
  const groups = new Map<string, Fused[]>();
  for (const hit of hits) {
    const group = groups.get(hit.documentId);
    if (group) group.push(hit);
    else groups.set(hit.documentId, [hit]);
  }
  return [...groups]
    .map(([memoryId, chunks]) => ({ memoryId, chunks, score: scoreOf(chunks) }))
    .sort((a, b) => b.score - a.score || (a.memoryId < b.memoryId ? -1 : 1));
}

const scoreOf = (chunks: readonly Fused[]): number =>
  SHARES.reduce((sum, share, rank) => sum + share * (chunks[rank]?.score ?? 0), 0);
