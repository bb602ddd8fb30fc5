import type { Logger } from '@atoll-mcp/core';
import { watchFile } from '../commands/config-file.ts';
import type { LockFile } from './lock-file.ts';
import { type Pinning, UpstreamPin } from './upstream-pin.ts';

/** The pins of all servers that are not built in. The lock file is watched while any server is pinned. */
export class Pins {
  readonly lockFile: LockFile;
  readonly #log: Logger;
  #pinning: Pinning = 'off';
  #unwatch: (() => void) | undefined;
  /** Examines the lists of every upstream again. */
  examineAll: () => void = () => {};
  onChange: () => void = () => {};

  constructor(lockFile: LockFile, log: Logger) {
    this.lockFile = lockFile;
    this.#log = log;
  }

  set pinning(pinning: Pinning) {
    const isNew = pinning !== this.#pinning;
    this.#pinning = pinning;
    if (isNew) this.examineAll();
  }

  of(key: string, source: unknown): UpstreamPin {
    // "atoll pin" and a merge change the file while Atoll runs.
    if (this.#pinning !== 'off') this.#unwatch ??= watchFile(this.lockFile.path, () => this.examineAll());
    return new UpstreamPin({
      key,
      source,
      lockFile: this.lockFile,
      log: this.#log,
      pinning: () => this.#pinning,
      onChange: () => this.onChange(),
    });
  }

  close(): void {
    this.#unwatch?.();
  }
}
