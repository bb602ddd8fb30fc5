import { expect, test } from 'vitest';
import { unescapeXml } from '../../src/domain/text/xml-text.ts';

test('entities are resolved, and names that only look like one stay as they are', () => {
  expect(unescapeXml('a &lt; b &amp; &#x41;&#66;')).toBe('a < b & AB');
  expect(unescapeXml('&constructor; &toString; &unknown;')).toBe('&constructor; &toString; &unknown;');
});
