import { expect, test } from 'vitest';
import { diffWords } from '../web/src/lib/diff.ts';

const shown = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `{+${text}+}`))
    .join('');

test.each([
  [
    'Reads a file of the folder.',
    'Reads a file and sends it on.',
    'Reads a file [-of the folder-]{+and sends it on+}.',
  ],
  ['', 'new', '{+new+}'],
  ['old', '', '[-old-]'],
  ['a b', 'a X b', 'a {+X +}b'],
  ['{"type":"string"} (required)', '{"type":"array"}', '{"type":"[-string-]{+array+}"}[- (required)-]'],
  ['same', 'same', 'same'],
])('"%s" and "%s" are shown with what changed', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

test('both texts can be read from a diff, also from one of texts too long to compare word by word', () => {
  const words = (count: number, step: number) =>
    Array.from({ length: count }, (_, at) => `w${(at * step) % 97}`).join(' ');
  for (const [before, after] of [
    [words(60, 7), words(80, 11)],
    [words(900, 7), words(900, 11)],
    [words(5, 3), `${words(5, 3)} `],
  ] as const) {
    const parts = diffWords(before, after);
    const textOf = (left: string) => parts.flatMap(({ kind, text }) => (kind === left ? [] : [text])).join('');
    expect(textOf('new')).toBe(before);
    expect(textOf('gone')).toBe(after);
  }
});
