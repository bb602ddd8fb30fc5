import { copyStorage, loadStorageDriver, localContents, openStorage, StorageError } from '@atoll-mcp/core/storage';
import type { ServerFolder } from './migrate.ts';
import { type Bar, migrationBar } from './migration-bar.ts';

export interface Destination {
  readonly url: string;
  readonly blobUrl: string | undefined;
  /** Whether what is there, but different, gives way to what is in the folder. */
  readonly replace: boolean;
}

/** Moves one folder after the other and tells each part that is done. Returns what stood in the way, if anything did. */
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
    return error.code === 'conflict' ? `${error.message} With --replace, what is in the folder stays.` : error.message;
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
