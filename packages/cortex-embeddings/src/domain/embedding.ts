import type { ModelReport } from './models/model-facts.ts';

/** A text's vector as the service gives it. */
export interface Embedding {
  readonly vector: Float32Array;
  /** What made it. */
  readonly model: ModelReport;
  readonly cached: boolean;
  /** `null` where the backend does not tell. */
  readonly tokens: number | null;
  readonly truncated: boolean;
  /** When the vector was computed, which for a cached one is earlier. */
  readonly generatedAt: Date;
}

/** What happened since the start. Each distinct text of a call counts once; one that another call is waiting for is a hit. */
export interface Counters {
  cacheHits: number;
  cacheMisses: number;
  rateLimited: number;
}
