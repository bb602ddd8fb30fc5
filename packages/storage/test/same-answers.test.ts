import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Condition, Filter, IndexedDocument, Order, SearchHit } from '@atoll-mcp/core/storage';
import { DIMENSIONS, type Entry, entries, unitVector } from '@atoll-mcp/testing';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openStorage } from '../src/open-storage.ts';

// The memory driver is short enough to be seen to be right: whatever it answers, the others answer too.
const dataDir = mkdtempSync(join(tmpdir(), 'atoll-same-'));
const local = openStorage({ dataDir });
const memory = openStorage({ dataDir, url: 'memory:' });
afterAll(async () => {
  await local.close();
  rmSync(dataDir, { recursive: true });
});

const text = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'Ä', 'ä%', '_', '\u{1f600}', '\uffff', "'"),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const fields = {
  name: text,
  size: fc.integer({ min: -3, max: 3 }),
  weight: fc.constantFrom(-1.5, 0, 0.1, 2),
  active: fc.boolean(),
};
const entry = fc.record(
  {
    name: orNull(fields.name),
    size: orNull(fields.size),
    weight: orNull(fields.weight),
    active: orNull(fields.active),
  },
  { requiredKeys: [] },
);
const plain = (value: fc.Arbitrary<string | number | boolean>): fc.Arbitrary<Condition> =>
  fc.oneof(
    orNull(value),
    fc.record({ not: orNull(value) }),
    fc.record({ in: fc.array(orNull(value), { maxLength: 3 }) }),
  );
const range = (value: fc.Arbitrary<string | number>): fc.Arbitrary<Condition> =>
  fc.record({ above: value, atLeast: value, below: value, atMost: value }, { requiredKeys: [] });
const part = fc.oneof(
  fc.record({ contains: text, ignoreCase: fc.boolean() }),
  fc.record({ startsWith: text, ignoreCase: fc.boolean() }),
);
const filter: fc.Arbitrary<Filter<Entry>> = fc.record(
  {
    name: fc.oneof(plain(fields.name), range(fields.name), part),
    size: fc.oneof(plain(fields.size), range(fields.size)),
    weight: fc.oneof(plain(fields.weight), range(fields.weight)),
    active: plain(fields.active),
  },
  { requiredKeys: [] },
);
const order: fc.Arbitrary<Order<Entry>> = fc.oneof(
  fc.record({
    field: fc.constantFrom('name', 'size', 'weight', 'active', 'id'),
    direction: fc.constantFrom('asc', 'desc'),
  }),
  fc.record({ field: fc.constant('name'), ignoreCase: fc.boolean() }),
) as fc.Arbitrary<Order<Entry>>;

test('SQLite lists the same records in the same order as memory, whatever is asked', { timeout: 120_000 }, async () => {
  const question = fc.record({
    where: fc.oneof(filter, fc.array(filter, { maxLength: 3 })),
    order: fc.array(order, { maxLength: 3 }),
    limit: fc.integer({ min: 0, max: 20 }),
    offset: fc.integer({ min: 0, max: 20 }),
  });
  const property = fc.asyncProperty(
    fc.array(entry, { maxLength: 12 }),
    fc.array(question, { minLength: 5, maxLength: 5 }),
    async (stored, questions) => {
      for (const { records } of [memory, local]) {
        const collection = records.collection(entries);
        for await (const { id } of collection.scan()) await collection.delete(id);
        await collection.putMany(stored.map((fields, index) => ({ id: `r${index}`, ...fields })));
      }
      for (const options of questions) {
        const [expected, actual] = await Promise.all(
          [memory, local].map(({ records }) => records.collection(entries).list(options)),
        );
        expect(actual).toEqual(expected);
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test('SQLite finds the same chunks with the same scores as memory, through upserts and removals', {
  timeout: 120_000,
}, async () => {
  const definition = { name: 'same', dimensions: DIMENSIONS };
  const stores = [memory.searchIndex(definition), local.searchIndex(definition)] as const;
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const word = () => `w${Math.floor(random(40) ** 2 / 10)}`;
  const document = (): IndexedDocument => ({
    id: `d${random(30)}`,
    attributes: { parity: random(2) === 0 },
    chunks: Array.from({ length: random(12) }, () => ({
      terms: Array.from({ length: random(300) }, word),
      vector: random(5) === 0 ? undefined : unitVector(random(10_000)),
    })),
  });
  for (let round = 0; round < 60; round++) {
    const [next, gone] = [document(), `d${random(30)}`];
    for (const store of stores) await store.upsert(next);
    if (round % 4 === 0) for (const store of stores) await store.remove(gone);
    const request = {
      terms: Array.from({ length: 4 }, () => ({ term: word(), boost: 1 + random(3) })),
      vector: unitVector(random(10_000)),
      k: 500,
      ...(round % 3 === 0 && { filter: { attributes: { parity: true } } }),
    };
    const [expected, actual] = await Promise.all(stores.map((store) => store.search(request)));
    expect(rounded(actual?.lexical)).toEqual(rounded(expected?.lexical));
    expect(rounded(actual?.vector)).toEqual(rounded(expected?.vector));
    expect(await stores[1].stats()).toEqual(await stores[0].stats());
  }
});

/** Equal scores may come in any order, and the last digits depend on the order of adding up. */
function rounded(hits: readonly SearchHit[] = []): string[] {
  return hits.map(({ documentId, chunk, score }) => `${score.toFixed(5)} ${documentId}#${chunk}`).sort();
}
