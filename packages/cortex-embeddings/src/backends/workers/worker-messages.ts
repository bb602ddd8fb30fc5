import type { EmbeddedText, TokenCount } from '../../domain/embedded-text.ts';

export type WorkerTask =
  | { readonly kind: 'embed'; readonly texts: readonly string[]; readonly normalize: boolean }
  | { readonly kind: 'count'; readonly texts: readonly string[] }
  | { readonly kind: 'score'; readonly query: string; readonly texts: readonly string[] };

/** Told to stop, a thread ends itself as soon as its model has finished what it is running. */
export type ToWorker = (WorkerTask & { readonly id: number }) | { readonly kind: 'stop' };

/** What a worker tells of the model it has loaded. */
export interface ReadyReport {
  readonly backend: string;
  readonly notes: Readonly<Record<string, unknown>>;
  /** What it goes on without, for the log. */
  readonly warnings: readonly string[];
}

export type FromWorker =
  | ({ readonly kind: 'ready' } & ReadyReport)
  | { readonly kind: 'unusable'; readonly reason: string; readonly remedy: string; readonly problem: string }
  | { readonly kind: 'embedded'; readonly id: number; readonly embedded: readonly EmbeddedText[] }
  | { readonly kind: 'counted'; readonly id: number; readonly counts: readonly TokenCount[] }
  | { readonly kind: 'scored'; readonly id: number; readonly scores: readonly number[] }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string };
