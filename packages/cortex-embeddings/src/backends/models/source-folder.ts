import type { ModelSource } from '../../domain/models/model-catalog.ts';
import type { FetchModel } from './fetch-model.ts';

/** A folder of the user's is used where it is. */
export const fetchFromFolder =
  (source: Extract<ModelSource, { kind: 'folder' }>): FetchModel =>
  async () =>
    source;
