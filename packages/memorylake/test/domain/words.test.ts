import { stem } from '@atoll-mcp/storage/search';
import { describe, expect, test } from 'vitest';
import { denseWeightFor, fuse } from '../../src/domain/fuse.ts';
import { groupByMemory } from '../../src/domain/group.ts';
import { parseQuery } from '../../src/domain/parse-query.ts';
import { queryTerms } from '../../src/domain/query-terms.ts';
import { bestSnippet } from '../../src/domain/snippet.ts';

describe('a plain question', () => {
  test('is parsed into the five parts', () => {
    const parsed = parseQuery('What did Acme Corp say about the KX-200_v2 cranes in "Harbour plan"?');
    expect(parsed.bm25CleanedQuery).toBe('Acme Corp say KX-200_v2 cranes Harbour plan');
    expect(parsed.namedEntities).toEqual(expect.arrayContaining(['Harbour plan', 'Acme Corp', 'KX-200_v2']));
    expect(parsed.bm25Keywords).toEqual(expect.arrayContaining([...parsed.namedEntities, 'cranes']));
    expect(parsed.bm25BoostKeywords).toEqual(expect.arrayContaining([...parsed.namedEntities]));
    expect(parsed.rewrittenQueryForDenseModel).toContain('Acme Corp');
  });

  test('in Chinese loses its question and stop words, not the words they are part of', () => {
    const parsed = parseQuery('阿里巴巴集团的营业收入是多少？');
    expect(parsed.bm25CleanedQuery).not.toMatch(/的|是|多少/);
    expect(parsed.bm25CleanedQuery).toContain('营业收入');
    expect(parsed.namedEntities.join()).toContain('阿里巴巴集团');
    expect(parseQuery('有限公司在哪里').bm25CleanedQuery).toContain('有限公司');
  });

  test('of stop words alone is still a question', () => {
    expect(parseQuery('what is this?').bm25CleanedQuery).not.toBe('');
  });

  test('raises names above other words', () => {
    const boosts = new Map(queryTerms(parseQuery('cranes of Acme'), false).map(({ term, boost }) => [term, boost]));
    expect(boosts.get('acme')!).toBeGreaterThan(boosts.get(stem('cranes'))!);
  });
});

describe('fusion', () => {
  const hit = (documentId: string, chunk: number, score: number) => ({ documentId, chunk, score });

  test('what words and meaning agree on comes first', () => {
    const fused = fuse([hit('a', 1, 10), hit('b', 1, 9)], [hit('b', 1, 0.8), hit('c', 1, 0.4)], 0.5);
    expect(fused.map(({ documentId }) => documentId)).toEqual(['b', 'a', 'c']);
  });

  test('one kind of hits alone keeps its order', () => {
    expect(fuse([], [hit('a', 1, 0.9), hit('b', 1, 0.2)], 0.5).map(({ documentId }) => documentId)).toEqual(['a', 'b']);
    expect(fuse([hit('a', 1, 3), hit('b', 1, 1)], [], 0.5)[0]?.score).toBe(1);
  });

  test('a model that knows English only has little say on a Chinese question', () => {
    expect(denseWeightFor('谁是首席执行官', { multilingual: false })).toBeLessThan(0.2);
    expect(denseWeightFor('谁是首席执行官', { multilingual: true })).toBe(
      denseWeightFor('who', { multilingual: false }),
    );
  });

  test('two good passages make a memory likelier than one', () => {
    const fused = fuse([hit('a', 1, 10), hit('b', 1, 9.9), hit('b', 2, 9.8)], [], 0);
    expect(groupByMemory(fused)[0]).toMatchObject({ memoryId: 'b', chunks: [{ chunk: 1 }, { chunk: 2 }] });
  });
});

test('a snippet is the part that holds what was asked', () => {
  const text = `${'Nothing of interest here. '.repeat(30)}The pier opens in May 2027. ${'More of nothing. '.repeat(30)}`;
  const snippet = bestSnippet(
    text,
    new Map([
      ['pier', 1],
      ['open', 1],
    ]),
    120,
  );
  expect(snippet).toContain('The pier opens in May 2027.');
  expect(snippet.length).toBeLessThanOrEqual(125);
});
