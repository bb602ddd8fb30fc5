import type { CatalogModel, ModelSource } from '../../domain/models/model-catalog.ts';

export interface PullProgress {
  /** What is being done, for people. */
  readonly step: string;
  readonly doneBytes: number;
  /** 0 while it is not known. */
  readonly totalBytes: number;
}

export interface FetchOptions {
  readonly onProgress: (progress: PullProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Brings the files of a model into its draft folder and says where exactly they came from. */
export type FetchModel = (
  model: CatalogModel,
  draft: string,
  options: FetchOptions,
) => Promise<Exclude<ModelSource, { kind: 'built-in' }>>;
