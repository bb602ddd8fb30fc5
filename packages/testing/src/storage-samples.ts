import type { CollectionDefinition, StoredRecord } from '@atoll-mcp/core/storage';

export const DIMENSIONS = 24;

export interface Entry extends StoredRecord {
  readonly name?: string | null;
  readonly size?: number | null;
  readonly weight?: number | null;
  readonly active?: boolean | null;
  readonly note?: unknown;
}

/** What the storage suites store. */
export const entries: CollectionDefinition<Entry> = {
  name: 'entries',
  version: 1,
  fields: { name: 'text', size: 'integer', weight: 'real', active: 'boolean' },
  ignoreCase: ['name'],
  indexes: [['name']],
};

export interface Version extends StoredRecord {
  readonly name: string;
  readonly version: number | null;
}

export const versions: CollectionDefinition<Version> = {
  name: 'versions',
  version: 1,
  fields: { name: 'text', version: 'integer' },
  unique: [['name', 'version']],
};

export interface Counter extends StoredRecord {
  readonly value: number;
}

export const counters: CollectionDefinition<Counter> = { name: 'counters', version: 1, fields: {} };

/** A vector of length 1; different for every seed, the same for the same. */
export function unitVector(seed: number): Float32Array {
  const values = Float32Array.from({ length: DIMENSIONS }, (_, index) => Math.sin((seed + 1) * (index + 1) * 12.9898));
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}
