import type { Dtype } from '@atoll-mcp/formats/dtypes';
import type { LibraryFormat } from '../domain/formats/format.ts';

export interface ParseMessage {
  readonly path: string;
  readonly format: LibraryFormat;
  /** For all values together. */
  readonly maxBytes: number;
}

export type ParseAnswer =
  | { readonly kind: 'missing'; readonly packageName: string }
  | { readonly kind: 'failed'; readonly problem: string }
  | {
      readonly kind: 'done';
      /** The values follow in the payload, in this order. */
      readonly tensors: readonly { readonly key?: string; readonly dtype: Dtype; readonly shape: readonly number[] }[];
      readonly skipped: readonly string[];
    };
