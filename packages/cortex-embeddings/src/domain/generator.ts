/** What a caller's own generator is told with its texts. */
export interface GenerateOptions {
  readonly normalize: boolean;
  readonly signal: AbortSignal;
}

type Vectors = readonly ArrayLike<number>[];

export type GenerateVectors = (texts: readonly string[], options: GenerateOptions) => Promise<Vectors> | Vectors;

/** A caller's own way from texts to vectors: a function, or an object that also says what it is. */
export type EmbeddingGenerator =
  | GenerateVectors
  | {
      readonly generate: GenerateVectors;
      readonly modelName?: string;
      /** Learned from the first vector when it is left out. */
      readonly dimensions?: number;
      readonly backend?: string;
    };
