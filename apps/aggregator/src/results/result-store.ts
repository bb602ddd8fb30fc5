import { randomUUID } from 'node:crypto';

interface WrittenResult {
  readonly text: string;
  /** A value as JSON, and not a text. */
  readonly isJson: boolean;
}

export interface KeptResult extends WrittenResult {
  readonly id: string;
  /** Size of the JSON, or of the text. */
  readonly sizeBytes: number;
  readonly value: unknown;
}

interface Stored {
  readonly id: string;
  readonly owner: string;
  readonly keptAt: number;
  /** As a value it would take several times as much. */
  readonly bytes: Buffer;
  readonly isJson: boolean;
  /** The value, until its memory is needed. */
  value?: WeakRef<object>;
}

interface ResultStoreOptions {
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
  keep(owner: string, { text, isJson }: WrittenResult): string | undefined {
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > this.#bytesPerOwner) return undefined;
    const stored: Stored = { id: randomUUID(), owner, bytes: Buffer.from(text), isJson, keptAt: this.#now() };
    this.#dropOld();
    this.#makeRoom((other) => other.owner === owner, this.#bytesPerOwner - sizeBytes);
    this.#makeRoom(() => true, this.#bytes - sizeBytes);
    this.#stored.set(stored.id, stored);
    return stored.id;
  }

  find(owner: string, id: string): KeptResult | undefined {
    this.#dropOld();
    const stored = this.#stored.get(id);
    return stored?.owner === owner ? resultOf(stored) : undefined;
  }

  #dropOld(): void {
    const oldest = this.#now() - this.#ttlMs;
    for (const [id, { keptAt }] of this.#stored) {
      if (keptAt > oldest) return;
      this.#stored.delete(id);
    }
  }

  #makeRoom(isMeant: (stored: Stored) => boolean, maxBytes: number): void {
    const meant = [...this.#stored.values()].filter(isMeant);
    let size = meant.reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (const { id, bytes } of meant) {
      if (size <= maxBytes) return;
      this.#stored.delete(id);
      size -= bytes.length;
    }
  }
}

function resultOf(stored: Stored): KeptResult {
  const { id, bytes, isJson } = stored;
  return {
    id,
    isJson,
    sizeBytes: bytes.length,
    get text() {
      return bytes.toString('utf8');
    },
    get value() {
      return isJson ? parsedValue(stored) : bytes.toString('utf8');
    },
  };
}

function parsedValue(stored: Stored): unknown {
  const known = stored.value?.deref();
  if (known) return known;
  const value: unknown = JSON.parse(stored.bytes.toString('utf8'));
  if (typeof value === 'object' && value !== null) stored.value = new WeakRef(value);
  return value;
}
