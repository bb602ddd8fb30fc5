import type { Fused } from './fuse.ts';

export interface MemoryMatch {
  readonly memoryId: string;
  readonly score: number;
  /** The best chunks first. */
  readonly chunks: readonly Fused[];
}

/** The best passage decides; further good ones only part equals. More than that makes long files win over fitting ones. */
const SHARES = [1, 0.02, 0.01];

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
