import type { EmbeddedText, TokenCount } from '../domain/embedded-text.ts';
import type { Precision } from '../domain/minilm.ts';
import type { Runtime } from './minilm-session.ts';

export interface WorkerSettings {
  readonly precision: Precision;
  readonly runtime: Runtime | 'auto';
  /** Where the built graph is kept; left out, it is built anew each time. */
  readonly modelDir?: string | undefined;
}

export type WorkerTask =
  | { readonly kind: 'embed'; readonly texts: readonly string[]; readonly normalize: boolean }
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type ToWorker = WorkerTask & { readonly id: number };

export type FromWorker =
  | {
      readonly kind: 'ready';
      readonly runtime: Runtime;
      readonly nativeProblem: string | undefined;
      readonly notKept: string | undefined;
    }
  | { readonly kind: 'unusable'; readonly problem: string }
  | { readonly kind: 'embedded'; readonly id: number; readonly embedded: readonly EmbeddedText[] }
  | { readonly kind: 'counted'; readonly id: number; readonly counts: readonly TokenCount[] }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string };
