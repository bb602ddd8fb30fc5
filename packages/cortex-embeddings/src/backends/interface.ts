import type { EmbeddedText, TokenCount } from '../domain/embedded-text.ts';
import type { ListedModel } from '../domain/models/listed-model.ts';
import type { ModelFacts } from '../domain/models/model-facts.ts';

export interface BackendState {
  /** The name of what computes: `onnx`, `wasm`, `transformers`, `openai`, `generator`. */
  readonly name: string;
  readonly loaded: boolean;
  /** Facts worth showing, such as why a slower runtime is in use. */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** Something that turns texts into vectors. Order, priority and sharing of work are decided before it is asked. */
export interface EmbeddingBackend {
  readonly model: ModelFacts;
  /** How many runs it can do at the same time. */
  readonly maxConcurrentRuns: number;
  /**
   * How much one run may take; at least one text in any case. `spread`: rather a part in each free run than all in one.
   * `byLength`: texts of one length cost less together, so bulk work comes sorted.
   */
  readonly perRun: {
    readonly texts: number;
    readonly characters: number;
    readonly spread?: boolean;
    readonly byLength?: boolean;
  };
  state(): BackendState;
  /** Makes it ready; safe to call again. The first run loads by itself. */
  load(): Promise<void>;
  embed(
    texts: readonly string[],
    options: { normalize: boolean; signal: AbortSignal },
  ): Promise<readonly EmbeddedText[]>;
  /** Left out by backends that cannot count. */
  countTokens?(texts: readonly string[]): Promise<readonly TokenCount[]>;
  close(): Promise<void>;
}

export interface EmbedOptions {
  /** Scaled to length 1; the default. */
  readonly normalize?: boolean | undefined;
  /** `interactive` goes ahead of `bulk`; the default is `interactive`. */
  readonly priority?: 'interactive' | 'bulk' | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Vectors for texts: one queue in front of one model, safe to share by everything in a process. */
export interface Embedder {
  readonly model: ModelFacts;
  readonly identity: string;
  readonly dimensions: number;
  /** How many texts wait or are being computed. */
  readonly pending: number;
  state(): BackendState;
  load(): Promise<void>;
  /** One vector per text, in the order of the texts. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array<ArrayBuffer>[]>;
  /** The same with what was seen of each text. */
  embedTexts(texts: readonly string[], options?: EmbedOptions): Promise<EmbeddedText[]>;
  countTokens(texts: readonly string[]): Promise<readonly TokenCount[]>;
  close(): Promise<void>;
}

/** Judges texts by reading each together with the query. */
export interface Reranker {
  readonly model: { readonly name: string; readonly identity: string };
  /** One score between 0 and 1 per text, in order. */
  score(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Every model that calls can name. */
export interface ModelLibrary {
  list(): Promise<readonly ListedModel[]>;
  /** The embedder of a model by its name or that of a set; nothing when it is not installed. */
  embedder(name: string): Embedder | undefined;
  /** By name, or the first that is installed. */
  reranker(name?: string): Promise<Reranker | undefined>;
  close(): Promise<void>;
}
