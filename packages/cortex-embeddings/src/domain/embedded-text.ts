export interface TokenCount {
  /** Tokens of the whole text, those that mark its ends included. */
  readonly tokens: number;
  /** Whether the model sees only the beginning of the text. */
  readonly truncated: boolean;
}

export interface EmbeddedText {
  readonly vector: Float32Array<ArrayBuffer>;
  /** `null` where the backend does not tell. */
  readonly tokens: number | null;
  readonly truncated: boolean;
}
