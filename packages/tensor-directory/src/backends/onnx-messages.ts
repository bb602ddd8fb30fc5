import type { Dtype } from '@atoll-mcp/formats/dtypes';

/** How the process is started. */
export interface OnnxSettings {
  readonly runtime: 'auto' | 'native' | 'wasm';
  /** The process ends itself when it has more than this. */
  readonly memoryBytes: number;
}

/** The first frame has the model, as a path or as the payload; all others ask for a run. */
export interface LoadMessage {
  readonly path?: string;
}

export interface RunMessage {
  readonly inputs: readonly {
    readonly name: string;
    readonly dtype: Dtype;
    readonly shape: readonly number[];
    /** A file with the values at this place; left out, they are next in the payload. */
    readonly file?: { readonly path: string; readonly offset: number };
  }[];
  readonly outputs: readonly string[];
}

export type OnnxAnswer =
  | { readonly kind: 'loaded'; readonly runtime: 'native' | 'wasm' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly problem: string }
  | {
      readonly kind: 'done';
      /** The values follow in the payload, in this order. */
      readonly outputs: readonly { readonly dtype: string; readonly shape: readonly number[] }[];
      readonly durationMs: number;
    };
