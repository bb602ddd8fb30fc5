import type { Logger } from '@atoll-mcp/core';
import { watchFile } from '../commands/config-file.ts';
import type { LockFile } from './lock-file.ts';
import { type Pinning, UpstreamPin } from './upstream-pin.ts';

/** The pins of all servers that are not built in. The lock file is watched while any server is pinned. */
export class Pins {
  readonly lockFile: LockFile;
  readonly #log: Logger;
  #pinning: Pinning = 'off';
  #own: ReadonlyMap<string, Pinning> = new Map();
  #unwatch: (() => void) | undefined;
  /** Examines the lists of every upstream again. */
  examineAll: () => void = () => {};
  onChange: () => void = () => {};

  constructor(lockFile: LockFile, log: Logger) {
    this.lockFile = lockFile;
    this.#log = log;
  }

  /** What happens to changed definitions, for all servers and for those with a setting of their own. */
  configure(pinning: Pinning, own: ReadonlyMap<string, Pinning>): void {
    const before = JSON.stringify([this.#pinning, ...this.#own]);
    this.#pinning = pinning;
    this.#own = own;
    if (JSON.stringify([pinning, ...own]) !== before) this.examineAll();
  }

  of(key: string, source: unknown): UpstreamPin {
    // "atoll pin" and a merge change the file while Atoll runs.
    if (this.#pinning !== 'off') this.#unwatch ??= watchFile(this.lockFile.path, () => this.examineAll());
    return new UpstreamPin({
      key,
      source,
      lockFile: this.lockFile,
      log: this.#log,
      pinning: () => (this.#pinning === 'off' ? 'off' : (this.#own.get(key) ?? this.#pinning)),
      onChange: () => this.onChange(),
    });
  }

  close(): void {
    this.#unwatch?.();
    this.lockFile.flush();
  }
}
