/** A model that could be used, as `model.info` and the command line list it. */
export interface ListedModel {
  readonly name: string;
  /** Names of sets that stand for it: `default`, `quality`, `multilingual`. */
  readonly sets: readonly string[];
  readonly kind: 'embedding' | 'reranker';
  readonly installed: boolean;
  /** Whether it is used when a call names none. */
  readonly active: boolean;
  readonly languages: readonly string[];
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly pooling: string;
  readonly prompts: { readonly query: string; readonly passage: string };
  readonly licence: string;
  /** Of what is downloaded, or on disk once it is installed. */
  readonly sizeBytes: number;
  readonly source: string;
  readonly identity?: string;
}
