import type { IndexedDocument, SearchHit, SearchIndex } from '@atoll-mcp/core/storage';
import { describe, expect, test } from 'vitest';
import { DIMENSIONS, unitVector } from './storage-samples.ts';
import { type StorageSuiteOptions, useStorage } from './storage-target.ts';

const definition = { name: 'suite', dimensions: DIMENSIONS };
const places = (hits: readonly SearchHit[]) => hits.map(({ documentId, chunk }) => `${documentId}#${chunk}`);

/** What every SearchIndex does. */
export function searchIndexSuite(name: string, options: StorageSuiteOptions): void {
  describe(`search in ${name}`, { timeout: 60_000 }, () => {
    const subject = useStorage(options);
    const index = () => subject.storage.searchIndex(definition);
    const words = async (...terms: string[]) =>
      places((await index().search({ terms: terms.map((term) => ({ term })), k: 10 })).lexical);

    lexicalTests(index, words);
    vectorTests(index);

    test('an empty index answers with nothing', async () => {
      const found = await index().search({ terms: [{ term: 'x' }], vector: unitVector(1), k: 5 });
      expect(found).toMatchObject({ lexical: [], vector: [] });
      expect(await index().stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
      await index().warm();
    });

    test('a document is replaced wholly', async () => {
      await index().upsert({ id: 'd', chunks: [{ terms: ['old'] }, { terms: ['old', 'both'] }] });
      expect(await words('old')).toEqual(['d#0', 'd#1']);
      await index().upsert({ id: 'd', chunks: [{ terms: ['new', 'both'] }] });
      expect(await words('old')).toEqual([]);
      expect(await words('both')).toEqual(['d#0']);
      expect(await index().stats()).toEqual({ documents: 1, chunks: 1, vectors: 0 });
    });

    test('a removed document is found no more, and remove says whether there was one', async () => {
      await index().upsert({ id: 'd', chunks: [{ terms: ['x'], vector: unitVector(1) }] });
      expect(await index().remove('d')).toBe(true);
      expect(await index().remove('d')).toBe(false);
      const { lexical, vector } = await index().search({ terms: [{ term: 'x' }], vector: unitVector(1), k: 5 });
      expect([...lexical, ...vector]).toEqual([]);
    });

    test('payloads come back in the order asked for', async () => {
      const payload = { page: 3, text: 'Größe 𝄞' };
      await index().upsert({
        id: 'd',
        chunks: [{ terms: ['a'], payload }, { terms: ['b'] }, { terms: ['c'], payload: 'last' }],
      });
      const refs = [2, 0, 1, 7].map((chunk) => ({ documentId: 'd', chunk }));
      expect(await index().payloads([...refs, { documentId: 'e', chunk: 0 }])).toEqual([
        'last',
        payload,
        undefined,
        undefined,
        undefined,
      ]);
    });

    test('documents are read back as they could be put again, in the order of their ids', async () => {
      const often = Array.from({ length: 300 }, () => 'often');
      const one = {
        id: 'b',
        attributes: { type: 'pdf', year: 2024, draft: true },
        chunks: [
          { terms: ['x', 'y', 'x', '\u0001\u0002'], vector: unitVector(1), payload: { text: 'a \\u0000 \u0000 𝄞' } },
          { terms: [...often, 'x'] },
          { terms: [] },
        ],
      };
      await index().upsert(one);
      await index().upsert({ id: '𝄞', chunks: [] });
      await index().upsert({ id: 'a', chunks: [{ terms: ['x'] }] });
      const read: IndexedDocument[] = [];
      for await (const document of index().documents()) read.push(document);
      expect(read.map(({ id }) => id)).toEqual(['a', 'b', '𝄞']);
      const chunks = read[1]?.chunks.map(({ terms, ...rest }) => ({ ...rest, terms: [...terms].sort() }));
      expect(read[1]?.attributes).toEqual(one.attributes);
      expect(chunks).toEqual(one.chunks.map(({ terms, ...rest }) => ({ ...rest, terms: [...terms].sort() })));
    });

    test('a document without chunks counts as a document', async () => {
      await index().upsert({ id: 'd', chunks: [] });
      expect(await index().stats()).toEqual({ documents: 1, chunks: 0, vectors: 0 });
      expect(await index().remove('d')).toBe(true);
    });

    test('filters narrow both kinds of hits', async () => {
      const chunk = { terms: ['x'], vector: unitVector(1) };
      await index().upsert({ id: 'a', attributes: { type: 'pdf', year: 2024, draft: true }, chunks: [chunk] });
      await index().upsert({ id: 'b', attributes: { type: 'txt', year: 2024 }, chunks: [chunk] });
      await index().upsert({ id: 'c', attributes: { type: 'pdf', year: '2024' }, chunks: [chunk] });
      const found = async (filter: Parameters<SearchIndex['search']>[0]['filter']) => {
        const request = { terms: [{ term: 'x' }], vector: unitVector(1), k: 10 };
        const { lexical, vector } = await index().search(filter === undefined ? request : { ...request, filter });
        expect(places(vector).sort()).toEqual(places(lexical).sort());
        return places(lexical).sort();
      };
      expect(await found(undefined)).toEqual(['a#0', 'b#0', 'c#0']);
      expect(await found({})).toEqual(['a#0', 'b#0', 'c#0']);
      expect(await found({ documentIds: ['a', 'c', 'none'] })).toEqual(['a#0', 'c#0']);
      expect(await found({ documentIds: [] })).toEqual([]);
      expect(await found({ attributes: { type: 'pdf' } })).toEqual(['a#0', 'c#0']);
      expect(await found({ attributes: { type: ['txt', 'md'] } })).toEqual(['b#0']);
      expect(await found({ attributes: { type: 'pdf', year: 2024 } })).toEqual(['a#0']);
      expect(await found({ attributes: { draft: null } })).toEqual(['b#0', 'c#0']);
      expect(await found({ documentIds: ['b'], attributes: { type: 'pdf' } })).toEqual([]);
      expect(await found({ attributes: { year: { atLeast: 2024 } } })).toEqual(['a#0', 'b#0']);
      expect(await found({ attributes: { year: { atMost: 2023.5 } } })).toEqual([]);
      expect(await found({ attributes: { year: { atLeast: -1, atMost: 2024 }, type: 'txt' } })).toEqual(['b#0']);
    });

    test('attributes are replaced without a change of the chunks', async () => {
      const chunk = { terms: ['x'], vector: unitVector(1), payload: 'kept' };
      await index().upsert({ id: 'a', attributes: { type: 'pdf', year: 2024 }, chunks: [chunk] });
      const found = async (attributes: Record<string, string | number | null>) =>
        places((await index().search({ terms: [{ term: 'x' }], filter: { attributes }, k: 10 })).lexical);
      expect(await found({ type: 'pdf' })).toEqual(['a#0']);
      expect(await index().updateAttributes('a', { type: 'txt', tag: 'new' })).toBe(true);
      expect(await found({ type: 'pdf' })).toEqual([]);
      expect(await found({ type: 'txt', tag: 'new', year: null })).toEqual(['a#0']);
      expect(await index().payloads([{ documentId: 'a', chunk: 0 }])).toEqual(['kept']);
      expect(await index().updateAttributes('none', { type: 'txt' })).toBe(false);
    });

    test('what does not fit is refused, and says why', async () => {
      const short = new Float32Array(3);
      const chunks = [{ terms: ['x'], vector: short }];
      await expect(index().upsert({ id: 'd', chunks })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('chunk 0'),
      });
      await expect(index().search({ vector: short, k: 3 })).rejects.toMatchObject({ code: 'invalid' });
      await expect(index().search({ terms: [], k: 0 })).rejects.toMatchObject({ code: 'invalid' });
      const broken = unitVector(1).fill(Number.NaN, 3, 4);
      await expect(index().upsert({ id: 'd', chunks: [{ terms: [], vector: broken }] })).rejects.toMatchObject({
        code: 'invalid',
      });
      expect(await index().stats()).toMatchObject({ documents: 0 });
    });

    test('a search that was called off does not answer', async () => {
      const signal = AbortSignal.abort();
      await expect(index().search({ terms: [{ term: 'x' }], k: 1, signal })).rejects.toThrow();
    });

    test('a closed index says so', async () => {
      await index().upsert({ id: 'd', chunks: [{ terms: ['x'] }] });
      const open = index();
      await open.close();
      await expect(open.search({ terms: [{ term: 'x' }], k: 1 })).rejects.toMatchObject({ code: 'closed' });
    });

    if (options.durable) durableTests(subject);
  });
}

function lexicalTests(index: () => SearchIndex, words: (...terms: string[]) => Promise<string[]>): void {
  test('scores are BM25 to the letter', async () => {
    await index().upsert({ id: 'a', chunks: [{ terms: ['sea', 'sea', 'wind'] }, { terms: ['sand'] }] });
    await index().upsert({ id: 'b', chunks: [{ terms: ['sea', 'salt', 'sand', 'sun', 'palm'] }] });
    const { lexical } = await index().search({ terms: [{ term: 'sea' }], k: 10 });
    const [idf, average] = [Math.log(1 + (3 - 2 + 0.5) / 2.5), 9 / 3];
    const share = (count: number, length: number) => (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    expect(places(lexical)).toEqual(['a#0', 'b#0']);
    expect(lexical[0]?.score).toBeCloseTo(idf * share(2, 3), 6);
    expect(lexical[1]?.score).toBeCloseTo(idf * share(1, 5), 6);
  });

  test('terms add up, a rare one tells more, and unknown ones tell nothing', async () => {
    const chunks = ['common rare', 'common', 'common', 'common other'].map((text) => ({ terms: text.split(' ') }));
    await index().upsert({ id: 'd', chunks });
    expect((await words('common', 'rare', 'unknown'))[0]).toBe('d#0');
    expect(await words('unknown')).toEqual([]);
  });

  test('the bound is what a chunk full of every term would score, those that no chunk has among them', async () => {
    await index().upsert({ id: 'd', chunks: [{ terms: ['sea', 'salt'] }, { terms: ['sea'] }, { terms: ['sand'] }] });
    const terms = [{ term: 'sea' }, { term: 'unknown', boost: 2 }];
    const idf = (holders: number) => Math.log(1 + (3.5 - holders) / (holders + 0.5));
    const bound = async (from: number) => (await index().search({ terms: terms.slice(from), k: 10 })).lexicalBound;
    const wanted = [2.2 * (idf(2) + 2 * idf(0)), 2.2 * 2 * idf(0), 0].map((value) => expect.closeTo(value, 6));
    expect([await bound(0), await bound(1), await bound(2)]).toEqual(wanted);
  });

  test('a boost can turn the order round', async () => {
    await index().upsert({ id: 'd', chunks: [{ terms: ['left'] }, { terms: ['right'] }] });
    const best = async (left: number, right: number) => {
      const terms = [
        { term: 'left', boost: left },
        { term: 'right', boost: right },
      ];
      return places((await index().search({ terms, k: 1 })).lexical);
    };
    expect(await best(2, 1)).toEqual(['d#0']);
    expect(await best(1, 2)).toEqual(['d#1']);
  });

  test('terms are compared as they are, whatever they hold', async () => {
    const terms = ['Ångström', '深度', 'C++', "it's", 'a b', '%', '"', '\u0000x', 'x'.repeat(2_000)];
    await index().upsert({ id: 'd', chunks: terms.map((term) => ({ terms: [term] })) });
    for (const [chunk, term] of terms.entries()) expect(await words(term)).toEqual([`d#${chunk}`]);
    expect(await words('ångström')).toEqual([]);
  });

  test('removed documents no longer count in the scores of others', async () => {
    const fresh: IndexedDocument = { id: 'kept', chunks: [{ terms: ['x', 'y'] }, { terms: ['z'] }] };
    await index().upsert(fresh);
    const score = async () => (await index().search({ terms: [{ term: 'x' }], k: 1 })).lexical[0]?.score;
    const alone = await score();
    await index().upsert({ id: 'going', chunks: Array.from({ length: 20 }, () => ({ terms: ['x', 'w', 'w', 'w'] })) });
    expect(await score()).not.toBeCloseTo(alone ?? 0, 6);
    await index().remove('going');
    expect(await score()).toBeCloseTo(alone ?? 0, 6);
  });
}

function vectorTests(index: () => SearchIndex): void {
  test('vector hits are the nearest, exactly, among thousands', async () => {
    for (let document = 0; document < 5; document++) {
      const chunks = Array.from({ length: 1_000 }, (_, chunk) => ({
        terms: [],
        vector: unitVector(document * 1_000 + chunk),
      }));
      await index().upsert({ id: `d${document}`, chunks });
    }
    const all = Array.from({ length: 5_000 }, (_, seed) => ({ seed, vector: unitVector(seed) }));
    for (const seed of [77_001, 77_002, 77_003]) {
      const query = unitVector(seed);
      const dot = (vector: Float32Array) => vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0);
      const expected = all.map(({ seed, vector }) => ({
        place: `d${Math.floor(seed / 1_000)}#${seed % 1_000}`,
        score: dot(vector),
      }));
      expected.sort((a, b) => b.score - a.score);
      const { vector } = await index().search({ vector: query, k: 10 });
      expect(places(vector)).toEqual(expected.slice(0, 10).map(({ place }) => place));
      for (const [rank, { score }] of vector.entries()) expect(score).toBeCloseTo(expected[rank]?.score ?? 0, 5);
    }
  });

  test('chunks without a vector are found by their terms only', async () => {
    await index().upsert({
      id: 'd',
      chunks: [{ terms: ['a'] }, { terms: ['b'], vector: unitVector(1) }, { terms: ['c'] }],
    });
    expect(places((await index().search({ vector: unitVector(1), k: 5 })).vector)).toEqual(['d#1']);
    expect(places((await index().search({ terms: [{ term: 'c' }], k: 5 })).lexical)).toEqual(['d#2']);
    expect(await index().stats()).toEqual({ documents: 1, chunks: 3, vectors: 1 });
  });

  test('a vector of zeros is as far from everything as from nothing', async () => {
    await index().upsert({ id: 'd', chunks: [{ terms: [], vector: new Float32Array(DIMENSIONS) }] });
    expect((await index().search({ vector: unitVector(1), k: 5 })).vector).toEqual([
      { documentId: 'd', chunk: 0, score: 0 },
    ]);
  });
}

function durableTests(subject: ReturnType<typeof useStorage>): void {
  const index = () => subject.storage.searchIndex(definition);

  test('what was indexed is found after a restart, and from another handle at once', async () => {
    const other = subject.again().searchIndex(definition);
    expect((await other.search({ terms: [{ term: 'x' }], k: 5 })).lexical).toEqual([]);
    await index().upsert({ id: 'd', chunks: [{ terms: ['x'], vector: unitVector(1), payload: 'p' }] });
    expect(places((await other.search({ terms: [{ term: 'x' }], k: 5 })).lexical)).toEqual(['d#0']);
    await subject.storage.close();
    await other.remove('d');
    const later = subject.again().searchIndex(definition);
    expect((await later.search({ terms: [{ term: 'x' }], vector: unitVector(1), k: 5 })).vector).toEqual([]);
  });

  test('an index keeps the dimensions it was made for', async () => {
    await index().upsert({ id: 'd', chunks: [] });
    const other = subject.again().searchIndex({ name: 'suite', dimensions: 3 });
    await expect(other.stats()).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('24') });
    await expect(other.search({ vector: new Float32Array(3), k: 1 })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('processes index at the same time, one is killed, and every acknowledged document is whole', async () => {
    const [killed, finishing] = [
      subject.start({ kind: 'index documents', tag: 'killed' }),
      subject.start({ kind: 'index documents', tag: 'other', times: 25 }),
    ];
    await killed?.reached(15);
    await killed?.kill();
    await finishing?.ended();
    const found = async (tag: string) => (await index().search({ terms: [{ term: tag }], k: 10_000 })).lexical;
    for (const child of [killed, finishing]) {
      const tag = child?.acknowledged[0]?.split('-')[0] ?? '';
      const hits = await found(tag);
      const documents = new Set(hits.map(({ documentId }) => documentId));
      expect([...documents]).toEqual(expect.arrayContaining(child?.acknowledged ?? []));
      expect(hits).toHaveLength(documents.size * 3);
    }
    const { documents, chunks, vectors } = await index().stats();
    expect([chunks, vectors]).toEqual([documents * 3, documents * 3]);
  });
}
