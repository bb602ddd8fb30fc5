import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkSlots } from '../src/search/chunk-slots.ts';
import { encodePostings } from '../src/search/postings.ts';
import { decodeCodes, encodeCodes } from '../src/search/quantized-vectors.ts';
import { LexicalIndex } from '../src/search/search-lexical.ts';
import { VectorScan } from '../src/search/search-vectors.ts';
import { TopK } from '../src/search/top-k.ts';

test('the best of many are those that sorting would put first', () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 0, max: 20 })),
    fc.integer({ min: 1, max: 10 }),
    (scores, k) => {
      const best = new TopK(k);
      for (const [item, score] of scores.entries()) best.add(item, score);
      const sorted = scores
        .map((score, item) => ({ item, score }))
        .sort((a, b) => b.score - a.score || a.item - b.item);
      expect(best.sorted().map(({ score }) => score)).toEqual(sorted.slice(0, k).map(({ score }) => score));
    },
  );
  fc.assert(property);
});

test('the scan ranks as plain arithmetic on the same bytes does, at any width and across blocks', {
  timeout: 60_000,
}, () => {
  for (const dimensions of [1, 15, 16, 40, 384]) {
    const rows = dimensions === 16 ? 9_001 : 101;
    const slots = new ChunkSlots();
    const scan = new VectorScan(dimensions, slots);
    const vectors = Array.from({ length: rows }, (_, row) =>
      Float32Array.from({ length: dimensions }, (_, i) => Math.sin(row * 7.13 + i * 3.7 + row * i)),
    );
    for (let first = 0; first < rows; first += 1_000) {
      const part = vectors.slice(first, first + 1_000);
      const firstSlot = slots.add(first + 1, `d${first}`, part.length);
      scan.add(decodeCodes(encodeCodes(dimensions, part), dimensions), firstSlot);
    }
    const query = Float32Array.from({ length: dimensions }, (_, i) => Math.cos(i * 1.3));
    const found = scan.search(query, { k: 10, spare: 0, mask: slots.mask() });
    const exact = vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0));
    const best = [...exact].sort((a, b) => b - a);
    for (const [rank, { item }] of found.entries()) {
      // A byte per dimension is off by half a step at most, in each of them.
      expect(exact[item]).toBeGreaterThan((best[rank] ?? 0) - dimensions / 127);
    }
    expect(found).toHaveLength(10);
  }
});

test('postings that arrive bit by bit score as those that arrive at once', { timeout: 60_000 }, () => {
  const documents = Array.from({ length: 300 }, (_, doc) => [
    {
      length: 3_000 + doc,
      counts: Array.from({ length: 3_000 }, (_, i): [number, number] => [
        1 + i * ((doc % 7) + 1),
        1 + ((i + doc) % 300),
      ]),
    },
  ]);
  const build = (settleEvery: number) => {
    const slots = new ChunkSlots();
    const index = new LexicalIndex(slots);
    for (const [doc, chunks] of documents.entries()) {
      index.add(encodePostings(chunks), slots.add(doc + 1, `d${doc}`, chunks.length));
      if (doc % settleEvery === 0) index.settle(30_000);
    }
    index.settle(30_000);
    const mask = slots.mask();
    return index.search(
      [
        { number: 7, boost: 1 },
        { number: 211, boost: 2 },
        { number: 29_999, boost: 1 },
      ],
      { k: 50, mask, live: mask },
    );
  };
  const atOnce = build(1_000);
  expect(atOnce.ranked).toHaveLength(50);
  expect(build(1)).toEqual(atOnce);
  expect(build(37)).toEqual(atOnce);
});

test('the kernel that is shipped is the one in the source', { timeout: 60_000 }, () => {
  const script = fileURLToPath(new URL('../scripts/build-kernel.mjs', import.meta.url));
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
});
