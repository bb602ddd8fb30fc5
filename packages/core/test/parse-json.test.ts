import { expect, test } from 'vitest';
import { MAX_CONTAINERS, MAX_DEPTH, parseJson, tryParseJson, UnsafeJsonError } from '../src/parse-json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('text that is not JSON, or nested too deep, gives undefined instead of an error', () => {
  expect(tryParseJson('{"a": [1, null]}')).toEqual({ a: [1, null] });
  expect(tryParseJson('null')).toBeNull();
  expect(tryParseJson('{"a":')).toBeUndefined();
  expect(tryParseJson(nested(MAX_DEPTH))).toBeInstanceOf(Array);
  expect(tryParseJson(nested(MAX_DEPTH + 1))).toBeUndefined();
  expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow(UnsafeJsonError);
});

test('text of more lists and objects than memory is meant for is refused, and brackets in texts do not count', () => {
  const lists = (count: number) => `[${'[],'.repeat(count - 2)}{}]`;
  expect(parseJson(lists(MAX_CONTAINERS))).toHaveLength(MAX_CONTAINERS - 1);
  expect(() => parseJson(lists(MAX_CONTAINERS + 1))).toThrow('lists and objects');
  const text = JSON.stringify(['[{"\\'.repeat(MAX_CONTAINERS)]);
  expect(parseJson(text)).toHaveLength(1);
});
