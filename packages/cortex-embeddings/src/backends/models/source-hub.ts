import { join } from 'node:path';
import type { ModelSource } from '../../domain/models/model-catalog.ts';
import type { FetchModel } from './fetch-model.ts';
import { hashFile } from './file-hash.ts';
import { HubClient, type HubOptions } from './hub-client.ts';

/** Gets files from a repository of the Hugging Face hub at one commit. Files that are already there are not got again. */
export const fetchFromHub =
  (source: Extract<ModelSource, { kind: 'hub' }>, options: Omit<HubOptions, 'signal'>): FetchModel =>
  async ({ files, sizeBytes }, draft, { onProgress, signal }) => {
    const hub = new HubClient({ ...options, signal });
    const { repository } = source;
    const isCommit = /^[0-9a-f]{40}$/.test(source.revision);
    const revision = isCommit ? source.revision : (await hub.revision(repository, source.revision)).commit;
    let before = 0;
    for (const { name, path, sha256 } of files) {
      const target = join(draft, name);
      const known = sha256 === undefined ? undefined : await hashFile(target);
      if (known === undefined || known.sha256 !== sha256) {
        await hub.download({ repository, revision, path }, target, (done, total) =>
          onProgress({
            step: `downloading ${path}`,
            doneBytes: before + done,
            totalBytes: Math.max(sizeBytes, before + total),
          }),
        );
      }
      before += (await hashFile(target))?.bytes ?? 0;
    }
    return { kind: 'hub', repository, revision };
  };
