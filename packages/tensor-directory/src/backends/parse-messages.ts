import type { Dtype } from '@atoll-mcp/formats/dtypes';

export interface ParseMessage {
  readonly path: string;
  /** By which its format is known, with the dot. */
  readonly extension: string;
  /** For all values together. */
  readonly maxBytes: number;
}

export type ParseAnswer =
  | { readonly kind: 'missing'; readonly packageName: string }
  | { readonly kind: 'failed'; readonly problem: string }
  | {
      readonly kind: 'done';
      /** The values follow in the payload, in this order. */
      readonly tensors: readonly {
        readonly key?: string;
        readonly dtype: Dtype;
        readonly shape: readonly number[];
        readonly isComplex?: true;
      }[];
      readonly skipped: readonly string[];
    };
