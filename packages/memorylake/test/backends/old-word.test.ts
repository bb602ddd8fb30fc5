import { expect, test } from 'vitest';
import { withUsualNames } from '../../src/backends/readers/old-office/reader-doc.ts';
import { namesInCompound } from '../../src/domain/formats/compound-file.ts';
import { compoundOf } from '../make-files.ts';

test('streams in small letters are given the names that are looked for, and nothing else changes', () => {
  const text = Buffer.from('the worddocument\0 and its data\0 stay', 'utf16le');
  const small = compoundOf({ worddocument: text, '1table': 'x', other: 'y' });
  const usual = withUsualNames(small);
  // The library that writes the file adds a stream of its own.
  const names = namesInCompound(usual).own.filter((name) => !name.startsWith('\u0001'));
  expect(names.sort()).toEqual(['1Table', 'WordDocument', 'other']);
  expect(usual.includes(text)).toBe(true);
  const given = compoundOf({ WordDocument: text });
  expect(withUsualNames(given)).toBe(given);
});
