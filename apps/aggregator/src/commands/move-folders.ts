import { StorageError } from '@atoll-mcp/core/storage';
import { copyStorage, loadStorageDriver, localContents, openStorage } from '@atoll-mcp/storage';
import type { ServerFolder } from './migrate.ts';
import { type Bar, migrationBar } from './migration-bar.ts';

export interface Destination {
  readonly url: string;
  readonly blobUrl: string | undefined;
  /** Whether conflicting data in the target is replaced. */
  readonly replace: boolean;
}

/** Copies the folders one after another and reports each part. Returns the problem, if any. */
export async function moveFolders(
  folders: readonly ServerFolder[],
  destination: Destination,
  tell: (line: string) => void,
): Promise<string | undefined> {
  const bar = migrationBar(process.stderr);
  try {
    await loadStorageDriver(destination.url);
    for (const folder of folders) await moveFolder(folder, destination, bar, tell);
    return undefined;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return error.code === 'conflict'
      ? `${error.message} Use --replace to overwrite it with the folder's data.`
      : error.message;
  } finally {
    bar.end();
  }
}

async function moveFolder(
  { name, dataDir }: ServerFolder,
  { url, blobUrl, replace }: Destination,
  bar: Bar,
  tell: (line: string) => void,
): Promise<void> {
  const source = openStorage({ dataDir });
  const target = openStorage({ dataDir, url, blobUrl, namespace: name });
  try {
    const contents = await localContents(dataDir);
    const reports = copyStorage(source, contents, target, { replace, onProgress: (step) => bar.show(name, step) });
    for await (const { part, items, written, sha256 } of reports) {
      bar.end();
      tell(`${name}: ${part}: ${items} (${written} new), sha256 ${sha256}`);
    }
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}
