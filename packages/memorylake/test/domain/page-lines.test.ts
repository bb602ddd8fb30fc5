import { expect, test } from 'vitest';
import { linesOfPage, type PageCharacter } from '../../src/domain/text/page-lines.ts';

const at = (text: string, x: number, top = 100, width = 5): PageCharacter => ({ text, box: [x, top, x + width, 107] });
const lineEnd: PageCharacter = { text: '\n', box: undefined };

test('signs that a page sets one by one, with line ends between them, are one word', () => {
  const digits = [at('0', 50), lineEnd, at('.', 56, 106, 1), lineEnd, at('2', 58.5)];
  const [line, ...others] = linesOfPage([...digits, lineEnd, at('A', 50, 120)]);
  expect(line).toMatchObject({ text: '0.2', words: [{ text: '0.2', box: [50, 100, 63.5, 107] }] });
  expect(others.map(({ text }) => text)).toEqual(['A']);
});

test('the end of a line stays one, whatever follows on another line or further away', () => {
  const below = { text: 'b', box: [55.5, 112, 60, 119] as const };
  expect(linesOfPage([at('a', 50), lineEnd, below]).map(({ text }) => text)).toEqual(['a', 'b']);
  expect(linesOfPage([at('a', 50), lineEnd, at('b', 62)]).map(({ text }) => text)).toEqual(['a', 'b']);
});

test('labels that stand upright beside each other stay apart', () => {
  const label = (letters: string, x: number) =>
    [...letters].map((text, up) => ({ text, box: [x, 100 - up * 6, x + 7, 105 - up * 6] as const }));
  const lines = linesOfPage([...label('Berths', 50), lineEnd, ...label('Ships', 64)]);
  expect(lines.map(({ text }) => text)).toEqual(['Berths', 'Ships']);
});
