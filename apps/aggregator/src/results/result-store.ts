import { randomUUID } from 'node:crypto';

export interface KeptResult {
  readonly id: string;
  /** Size of the JSON, or of the text. */
  readonly sizeBytes: number;
  readonly value: unknown;
}

interface Stored extends KeptResult {
  readonly owner: string;
  readonly keptAt: number;
}

export interface ResultStoreOptions {
  readonly ttlMs?: number;
  readonly bytesPerOwner?: number;
  readonly bytes?: number;
  readonly now?: () => number;
}

export const RESULT_TTL_MS = 30 * 60_000;
const MB = 1_000_000;

/** Large results, in memory for a limited time. Each can be read only by the caller that made the call. */
export class ResultStore {
  readonly #ttlMs: number;
  readonly #bytesPerOwner: number;
  readonly #bytes: number;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #stored = new Map<string, Stored>();

  constructor({
    ttlMs = RESULT_TTL_MS,
    bytesPerOwner = 32 * MB,
    bytes = 128 * MB,
    now = Date.now,
  }: ResultStoreOptions = {}) {
    this.#ttlMs = ttlMs;
    this.#bytesPerOwner = bytesPerOwner;
    this.#bytes = bytes;
    this.#now = now;
  }

  /** Undefined if it is too large to be stored. Evicts the owner's oldest results first, then the oldest of all. */
  keep(owner: string, value: unknown, sizeBytes: number): KeptResult | undefined {
    if (sizeBytes > this.#bytesPerOwner) return undefined;
    const stored: Stored = { id: randomUUID(), owner, value, sizeBytes, keptAt: this.#now() };
    this.#dropOld();
    this.#makeRoom((other) => other.owner === owner, this.#bytesPerOwner - sizeBytes);
    this.#makeRoom(() => true, this.#bytes - sizeBytes);
    this.#stored.set(stored.id, stored);
    return stored;
  }

  find(owner: string, id: string): KeptResult | undefined {
    this.#dropOld();
    const stored = this.#stored.get(id);
    return stored?.owner === owner ? stored : undefined;
  }

  #dropOld(): void {
    const oldest = this.#now() - this.#ttlMs;
    for (const [id, { keptAt }] of this.#stored) {
      if (keptAt > oldest) return;
      this.#stored.delete(id);
    }
  }

  #makeRoom(isMeant: (stored: Stored) => boolean, most: number): void {
    const meant = [...this.#stored.values()].filter(isMeant);
    let bytes = meant.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const { id, sizeBytes } of meant) {
      if (bytes <= most) return;
      this.#stored.delete(id);
      bytes -= sizeBytes;
    }
  }
}
