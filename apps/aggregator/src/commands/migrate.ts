import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { BUILTIN_NAMES, type BuiltinName } from '../upstreams/builtin.ts';
import { parseWords, print, printError } from './cli-io.ts';

const VALUES = ['from', 'to', 'blobs', 'config', 'storage', 'storage-file', 'blob-storage', 'data-dir'];

/** Copies the data of the built-in servers to shared storage. */
export const migrate: Command<AggregatorConfig> = {
  usage: 'migrate --from DIR --to postgres://… [--blobs s3://…] [--replace]',
  summary: 'Copy a data folder to a database and verify it; rerun after an interruption',
  flags: ['from', 'to', 'blobs', 'replace'],
  async run({ argv, config }) {
    const { flags } = parseWords(argv, VALUES);
    const from = resolve(flags.get('from')?.at(-1) ?? config.dataDir);
    // The URL may come from --storage-file, to keep its password out of the command line.
    const url = flags.get('to')?.at(-1) ?? config.storage;
    const blobUrl = flags.get('blobs')?.at(-1) ?? config.blobStorage;
    if (!url) {
      printError('missing target: "atoll migrate --from DIR --to postgres://…", or --storage-file FILE');
      return 2;
    }
    const folders = foldersOf(from);
    if (folders.length === 0) {
      printError(`${from} holds no data of ${BUILTIN_NAMES.join(', ')}`);
      return 2;
    }
    // Loaded on demand, so that the aggregator starts without storage drivers.
    const { moveFolders } = await import('./move-folders.ts');
    const problem = await moveFolders(folders, { url, blobUrl, replace: flags.has('replace') }, print);
    if (problem !== undefined) {
      printError(problem);
      return 1;
    }
    print('All data was copied and verified. The source folder is unchanged.');
    return 0;
  },
};

export interface ServerFolder {
  readonly name: BuiltinName;
  readonly dataDir: string;
}

/** The servers' folders, or the given folder itself. */
function foldersOf(from: string): ServerFolder[] {
  const own = BUILTIN_NAMES.find((name) => name === basename(from));
  const all = own ? [{ name: own, dataDir: from }] : BUILTIN_NAMES.map((name) => ({ name, dataDir: join(from, name) }));
  return all.filter(({ dataDir }) => existsSync(dataDir));
}
