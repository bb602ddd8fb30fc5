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

/** Files to fetch, under the name people know them by. */
export type WantedFiles = Pick<CatalogModel, 'name' | 'files' | 'sizeBytes'>;

/** Brings the files of a model into its draft folder and says where exactly they came from. */
export type FetchModel = (
  model: WantedFiles,
  draft: string,
  options: FetchOptions,
) => Promise<Exclude<ModelSource, { kind: 'built-in' }>>;
