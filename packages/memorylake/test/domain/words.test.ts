import { stem, tokenise } from '@atoll-mcp/storage/search';
import { describe, expect, test } from 'vitest';
import { fuse } from '../../src/domain/fuse.ts';
import { groupByMemory } from '../../src/domain/group.ts';
import { isEnglish, isInScriptOf } from '../../src/domain/language.ts';
import { parseQuery } from '../../src/domain/parse-query.ts';
import { queryTerms } from '../../src/domain/query-terms.ts';
import { bestSnippet } from '../../src/domain/snippet.ts';
import { sentences } from '../../src/domain/text/sentences.ts';
import { windowsOf } from '../../src/domain/text/windows.ts';

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

  const words = (...lexical: ReturnType<typeof hit>[]) => ({ lexical, lexicalBound: 20 });

  test('what words and meaning agree on comes first', () => {
    const fused = fuse(words(hit('a', 1, 10), hit('b', 1, 9)), [hit('b', 1, 0.8), hit('c', 1, 0.4)]);
    expect(fused.map(({ documentId }) => documentId)).toEqual(['b', 'a', 'c']);
  });

  test('one kind of hits alone keeps its order', () => {
    expect(fuse(words(), [hit('a', 1, 0.9), hit('b', 1, 0.2)]).map(({ documentId }) => documentId)).toEqual(['a', 'b']);
    expect(fuse(words(hit('a', 1, 10), hit('b', 1, 1)), [])[0]?.score).toBe(0.5);
  });

  test('one word of many counts less than a meaning that is near', () => {
    const fused = fuse({ lexical: [hit('name', 1, 2)], lexicalBound: 40 }, [
      hit('answer', 1, 0.5),
      hit('name', 1, 0.2),
    ]);
    expect(fused[0]?.documentId).toBe('answer');
  });

  test('a model that does not understand the question has little say', () => {
    const fused = fuse(words(hit('a', 1, 4)), [hit('b', 1, 0.9)], { trust: 0.1 });
    expect(fused[0]?.documentId).toBe('a');
  });

  test('two good passages make a memory likelier than one', () => {
    const fused = fuse(words(hit('a', 1, 10), hit('b', 1, 9.9), hit('b', 2, 9.8)), []);
    expect(groupByMemory(fused)[0]).toMatchObject({ memoryId: 'b', chunks: [{ chunk: 1 }, { chunk: 2 }] });
  });
});

describe('language', () => {
  test.each([
    'How many points did the Panthers defense surrender?',
    'What team won Super Bowl 50',
    'capital of France',
    'The pier opens in May 2027.',
  ])('%s is English', (text) => expect(isEnglish(text)).toBe(true));

  test.each([
    'Wie viele Einwohner hat die Stadt?',
    'Was ist die Hauptstadt von Frankreich?',
    '¿Cuál es la capital de Francia?',
    'Quelle est la capitale de la France ?',
    'Panthers savunması kaç sayı bıraktı?',
    '法国的首都是哪里',
    'ما هي عاصمة فرنسا',
    'เมืองหลวงของฝรั่งเศสคือเมืองใด',
    'Thủ đô của Pháp là gì',
  ])('%s is not', (text) => expect(isEnglish(text)).toBe(false));

  test('names and numbers tell nothing', () => {
    expect(isEnglish('KX-200 42')).toBeUndefined();
    expect(isEnglish('2024-05-01')).toBeUndefined();
  });
});

test('a passage has a window for each sentence, at most eight, and one of a sentence has none', () => {
  const sentence = (word: string) => `${word} ${'is a word of this sentence and goes on '.repeat(3)}to here. `;
  expect(windowsOf('One sentence alone.')).toEqual([]);
  expect(windowsOf(sentence('Alpha') + sentence('Beta'))).toHaveLength(2);
  const many = windowsOf('Short one. '.repeat(200));
  expect(many.length).toBeGreaterThan(1);
  expect(many.length).toBeLessThanOrEqual(8);
  expect(many.join(' ')).toBe('Short one. '.repeat(200).trim());
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

test('a snippet begins with the sentence that answers, not with those that repeat what all of them say', () => {
  const filler = 'The Panthers played again in the Panthers stadium, and the Panthers won. ';
  const text = `${filler.repeat(6)}Luke Kuechly led the Panthers in tackles. The season ended in May. ${filler.repeat(6)}`;
  const boosts = new Map(tokenise('Panthers tackles').map((term) => [term, 1]));
  expect(bestSnippet(text, boosts, 320)).toMatch(
    /^…Luke Kuechly led the Panthers in tackles\.\s+The season ended in May\./,
  );
});

test('a snippet of a text without ends of sentences begins near what was asked', () => {
  const filler = Array.from({ length: 30 }, (_, at) => `เรื่องทั่วไปตอนที่${at}`).join(' ');
  const snippet = bestSnippet(
    `${filler} ท่าเรือเปิดในเดือนพฤษภาคม ${filler}`,
    new Map(['ทั่วไป', 'ท่าเรือ', 'พฤษภาคม'].map((term) => [term, 1])),
    320,
  );
  expect(snippet.indexOf('ท่าเรือเปิดในเดือนพฤษภาคม')).toBeGreaterThanOrEqual(0);
  expect(snippet.indexOf('ท่าเรือเปิดในเดือนพฤษภาคม')).toBeLessThan(170);
});

test('a snippet that ends early has room for the next best sentence, on a line of its own', () => {
  const text = `${'Nothing is said here. '.repeat(20)}The harbour opened in May. ${'Weather was fine. '.repeat(20)}The harbour was dredged by Acme.`;
  const boosts = new Map([
    ['harbour', 1],
    ['dredg', 1],
  ]);
  expect(bestSnippet(text, boosts, 320)).toBe('…The harbour was dredged by Acme.\n…The harbour opened in May.');
});

test.each([
  ['हरी नाव आई। नीली नाव गई।', 2],
  ['هل وصلت السفينة؟ نعم وصلت.', 2],
])('%j has %i sentences', (text, count) => {
  expect(sentences(text)).toHaveLength(count);
});

test.each([
  ['Πότε ανοίγει ο φάρος;', false],
  ['दीपस्तंभ कब खुलता है?', false],
  ['灯台はいつ開きますか。', true],
  ['灯塔何时开放？', true],
  ['등대는 언제 열리나요?', false],
  ['متى تفتح المنارة؟', true],
  ['Wann öffnet der Leuchtturm?', true],
  ['2027?', true],
])('%s is in a script of Arabic, German and Japanese: %s', (question, is) => {
  expect(isInScriptOf(['ar', 'de', 'ja'], question)).toBe(is);
});
