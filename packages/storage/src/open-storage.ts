import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Storage } from '@atoll-mcp/core/storage';
import { invalid, StorageError } from '@atoll-mcp/core/storage';
import { memoryStorage } from './drivers/memory/memory-storage.ts';
import { localStorage } from './drivers/sqlite/local-storage.ts';

export interface StorageOptions {
  /** The folder that holds everything, made when it is first needed. */
  readonly dataDir: string;
  /** `memory:` or the address of a database server; without one, everything is in `dataDir`. */
  readonly url?: string | undefined;
  /** Whose data it is: servers that share a database keep apart by it. */
  readonly namespace?: string | undefined;
  /** The address of an object store for blobs, where the driver can use one. */
  readonly blobUrl?: string | undefined;
}

export type StorageDriver = (options: StorageOptions & { readonly url: string }) => Storage;

const drivers = new Map<string, StorageDriver>([['memory', memoryStorage]]);

/** Drivers that live in packages of their own; each exports `storageDriver`. */
const PACKAGES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    postgres: '@atoll-mcp/storage-postgres',
    postgresql: '@atoll-mcp/storage-postgres',
  }),
);

/** The storage that the options describe. Opens nothing yet. */
export function openStorage(options: StorageOptions): Storage {
  const { url } = options;
  if (url === undefined) return localStorage(options.dataDir);
  const scheme = schemeOf(url);
  const driver = drivers.get(scheme);
  if (driver === undefined) {
    throw invalid(`No storage driver for "${scheme}:" is loaded. Loaded are: ${[...drivers.keys()].join(', ')}.`);
  }
  return driver({ ...options, url });
}

/** For drivers from elsewhere; `scheme` is what their addresses begin with. */
export function registerStorageDriver(scheme: string, driver: StorageDriver): void {
  drivers.set(scheme, driver);
}

/** Loads the package that an address needs, if it needs one. Call it once, before `openStorage`. */
export async function loadStorageDriver(url: string | undefined): Promise<void> {
  const scheme = url === undefined ? 'memory' : schemeOf(url);
  if (drivers.has(scheme)) return;
  const name = PACKAGES.get(scheme);
  if (name === undefined) throw invalid(`No storage driver for "${scheme}:" is known.`);
  registerStorageDriver(scheme, await importDriver(name));
}

async function importDriver(name: string): Promise<StorageDriver> {
  // The program depends on the driver, core does not: it is looked for from there, then from where we are.
  for (const place of [process.argv[1] ?? '', `${process.cwd()}/`].filter(Boolean)) {
    const path = resolveFrom(place, name);
    if (path === undefined) continue;
    const loaded = (await import(pathToFileURL(path).href)) as { storageDriver: StorageDriver };
    return loaded.storageDriver;
  }
  throw new StorageError('unavailable', `This storage needs the package ${name}. Install it beside the server.`);
}

function resolveFrom(place: string, name: string): string | undefined {
  try {
    return createRequire(pathToFileURL(place)).resolve(name);
  } catch {
    return undefined;
  }
}

function schemeOf(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(url)?.[1];
  if (scheme === undefined) throw invalid('A storage address begins with its kind, like "memory:" or "postgres://".');
  return scheme;
}
