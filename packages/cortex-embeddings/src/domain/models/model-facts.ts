/** What is known of a model before it is loaded. */
export interface ModelFacts {
  readonly name: string;
  /** Names everything that can change a vector; two vectors may be compared only if theirs are equal. */
  readonly identity: string;
  readonly dimensions: number;
  /** Longer texts are cut; `null` where the backend does not tell. */
  readonly maxTokens: number | null;
  /** Words that the model wants in front of a search and of a text to be found. */
  readonly prompts: { readonly query: string; readonly passage: string };
  /** Codes of ISO 639-1 of the languages it learnt, where they are known. */
  readonly languages?: readonly string[];
  /** What the cosine of two texts with nothing in common is about; 0 unless said. */
  readonly unrelatedCosine?: number;
}

/** The same with what is known of it now. */
export interface ModelReport extends ModelFacts {
  readonly backend: string;
  readonly loaded: boolean;
  readonly notes: Readonly<Record<string, unknown>>;
}
