import type { Logger } from '@atoll-mcp/core';
import { type CollectionDefinition, type Storage, StorageError } from '@atoll-mcp/core/storage';
import type { CalibrationRecord, Metric, OwnStore, Template, Trigger } from './interface.ts';

interface CacheEntry {
  readonly id: string;
  readonly expires: string;
  readonly value: unknown;
}

const TEMPLATES: CollectionDefinition<Template> = {
  name: 'prompt_templates',
  version: 1,
  fields: { name: 'text', category: 'text', useCount: 'integer' },
  unique: [['name']],
};
const METRICS: CollectionDefinition<Metric> = {
  name: 'model_metrics',
  version: 1,
  fields: { modelId: 'text', at: 'text' },
  indexes: [['at']],
};
const CALIBRATIONS: CollectionDefinition<CalibrationRecord> = {
  name: 'calibration_tests',
  version: 1,
  fields: { modelId: 'text', category: 'text', at: 'text' },
  indexes: [['at']],
};
const TRIGGERS: CollectionDefinition<Trigger> = {
  name: 'handoff_triggers',
  version: 1,
  fields: { createdAt: 'text' },
};
const CACHE: CollectionDefinition<CacheEntry> = { name: 'response_cache', version: 1, fields: { expires: 'text' } };

const MANY = 10_000;

/** This server's own data, in whichever storage core opened. */
export function createOwnStore(storage: Storage, log: Logger): OwnStore {
  const templates = storage.records.collection(TEMPLATES);
  const metrics = storage.records.collection(METRICS);
  const calibrations = storage.records.collection(CALIBRATIONS);
  const triggers = storage.records.collection(TRIGGERS);
  const cache = storage.records.collection(CACHE);
  let hits = 0;
  let misses = 0;

  /** An answer is worth more than a note about it: what fails here is logged and left out. */
  async function ifPossible<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      log.warn('own data not kept', { code: error.code });
      return undefined;
    }
  }

  return {
    template: (name) => templates.get(name),
    async templates(category) {
      const { items } = await templates.list({
        ...(category && { where: { category } }),
        order: [{ field: 'useCount', direction: 'desc' }, { field: 'name' }],
        limit: MANY,
      });
      return items;
    },
    putTemplates: (records) => templates.putMany(records),
    countUse: (name) =>
      storage.records.transaction(async (transaction) => {
        const mine = transaction.collection(TEMPLATES);
        const template = await mine.get(name);
        if (template) await mine.put({ ...template, useCount: template.useCount + 1 });
      }),
    addMetric: (metric) => ifPossible(metrics.put(metric)),
    async metrics({ modelId, since }) {
      const where = { at: { atLeast: since }, ...(modelId && { modelId }) };
      const { items } = await metrics.list({ where, order: [{ field: 'at', direction: 'desc' }], limit: MANY });
      return items;
    },
    addCalibration: (record) => calibrations.put(record),
    async calibrations({ modelId, category, limit }) {
      const where = { ...(modelId && { modelId }), ...(category && { category }) };
      const { items } = await calibrations.list({ where, order: [{ field: 'at', direction: 'desc' }], limit });
      return items;
    },
    addTrigger: (trigger) => triggers.put(trigger),
    async triggers() {
      const { items } = await triggers.list({ order: [{ field: 'createdAt', direction: 'desc' }], limit: 1000 });
      return items;
    },
    async cached(key, now) {
      const entry = await ifPossible(cache.get(key));
      const isFresh = entry !== undefined && entry.expires > now.toISOString();
      if (isFresh) hits += 1;
      else misses += 1;
      return isFresh ? entry.value : undefined;
    },
    cache: (key, value, expires) => ifPossible(cache.put({ id: key, value, expires: expires.toISOString() })),
    async cacheStats(now) {
      const entries = await ifPossible(cache.count({ expires: { above: now.toISOString() } }));
      return { hits, misses, entries: entries ?? 0 };
    },
    async clearCache() {
      hits = 0;
      misses = 0;
      const { items } = await cache.list({ limit: MANY });
      for (const { id } of items) await cache.delete(id);
      return items.length;
    },
    close: () => storage.close(),
  };
}
