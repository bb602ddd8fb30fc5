import type { Logger } from '@atoll-mcp/core';
import type { Storage } from '@atoll-mcp/core/storage';
import type { FolderSource } from '../../backends/interface.ts';
import type { Library } from '../library.ts';
import { type FolderSettings, type FolderStatus, FolderSync } from './folder-sync.ts';

/** The folders that a running server watches. */
export class Folders {
  readonly #folders: readonly FolderSync[];

  constructor(options: {
    settings: readonly FolderSettings[];
    source: FolderSource;
    storage: Storage;
    library: Library;
    log: Logger;
  }) {
    const { settings, ...shared } = options;
    this.#folders = settings.map((one) => new FolderSync({ ...shared, settings: one }));
  }

  /** Resolves after the first scan of each. */
  async start(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => folder.start()));
  }

  status(): FolderStatus[] {
    return this.#folders.map((folder) => folder.status());
  }

  async close(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => folder.close()));
  }
}
