import { describe, expect, test } from 'vitest';
import { stem } from '../../src/search/analysis/stem.ts';
import { tokenise, tokeniseForIndex } from '../../src/search/analysis/tokenise.ts';

describe('terms', () => {
  test('forms of a word meet, different words do not', () => {
    for (const family of [
      ['opens', 'opened', 'opening'],
      ['placed', 'places', 'placing'],
      ['running', 'runs'],
      ['studies', 'study'],
      ['organization', 'organizations'],
    ]) {
      expect(new Set(family.map(stem)).size, family.join()).toBe(1);
    }
    expect(new Set(['bus', 'gas', 'this', 'news', 'ring', 'red', 'KX'].map(stem)).size).toBe(7);
  });

  test('a technical term is found whole and in its parts, without dots at its ends', () => {
    expect(tokenise('The KX-200_v2.')).toEqual(['the', 'kx-200_v2', 'kx', '200', 'v2']);
    expect(tokenise('C++ and node.js, e.g. 3.14')).toEqual([
      'c++',
      'c',
      'and',
      'node.js',
      'node',
      'js',
      'e.g',
      'e',
      'g',
      '3.14',
    ]);
    expect(tokenise('2024-05-01')).toEqual(['2024-05-01', '2024-05', '2024']);
  });

  test('Chinese is cut into bigrams, beside Latin words without spaces', () => {
    expect(tokenise('营业收入')).toEqual(['营业', '业收', '收入']);
    expect(tokenise('使用GPT-4模型')).toEqual(['使用', 'gpt-4', 'gpt', '4', '模型']);
    expect(tokenise('猫')).toEqual(['猫']);
    expect(tokeniseForIndex('猫咪')).toContain('猫');
  });

  test('Thai is cut into the words of a dictionary, so that a question finds a part of a sentence', () => {
    const text = tokenise('สะพานแห่งนี้สร้างขึ้นในปี 1932');
    expect(text).toContain('สะพาน');
    expect(text).toContain('1932');
    expect(text).toEqual(tokeniseForIndex('สะพานแห่งนี้สร้างขึ้นในปี 1932'));
  });

  test('accents and full-width letters make no difference', () => {
    expect(tokenise('Café')).toEqual(tokenise('cafe'));
    expect(tokenise('ＡＢＣ１２')).toEqual(['abc12']);
  });
});
