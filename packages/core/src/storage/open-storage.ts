import { invalid } from './errors.ts';
import type { Storage } from './interface.ts';
import { memoryStorage } from './memory-storage.ts';

export interface StorageOptions {
  /** The folder that holds everything, made when it is first needed. */
  readonly dataDir: string;
  /** `memory:` or the address of a database server; without one, everything is in `dataDir`. */
  readonly url?: string | undefined;
}

export type StorageDriver = (options: StorageOptions & { readonly url: string }) => Storage;

const drivers = new Map<string, StorageDriver>([['memory', memoryStorage]]);

/** For drivers from other packages; `scheme` is what their addresses begin with. */
export function registerStorageDriver(scheme: string, driver: StorageDriver): void {
  drivers.set(scheme, driver);
}

/** The storage that the options describe. Opens nothing yet. */
export function openStorage(options: StorageOptions): Storage {
  const { url } = options;
  if (url === undefined) return memoryStorage();
  const scheme = schemeOf(url);
  const driver = drivers.get(scheme);
  if (driver === undefined)
    throw invalid(`No storage driver for "${scheme}:". Known are: ${[...drivers.keys()].join(', ')}.`);
  return driver({ ...options, url });
}

function schemeOf(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(url)?.[1];
  if (scheme === undefined) throw invalid('A storage address begins with its kind, like "memory:" or "postgres://".');
  return scheme;
}
