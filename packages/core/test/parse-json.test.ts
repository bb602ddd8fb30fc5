import { expect, test } from 'vitest';
import { MAX_DEPTH, parseJson, TooDeepError, tryParseJson } from '../src/parse-json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('text that is not JSON, or nested too deep, gives undefined instead of an error', () => {
  expect(tryParseJson('{"a": [1, null]}')).toEqual({ a: [1, null] });
  expect(tryParseJson('null')).toBeNull();
  expect(tryParseJson('{"a":')).toBeUndefined();
  expect(tryParseJson(nested(MAX_DEPTH))).toBeInstanceOf(Array);
  expect(tryParseJson(nested(MAX_DEPTH + 1))).toBeUndefined();
  expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow(TooDeepError);
});
