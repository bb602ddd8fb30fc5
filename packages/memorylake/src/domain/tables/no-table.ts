import type { Box } from '../document.ts';
import { type PageLine, type PageWord, paragraphsOf, unionOf } from '../text/page-lines.ts';
import { heightOf, isFigure, textOf, type WordRow } from './text-rows.ts';
import { cellsBetween, extentsOf, wordsBetween } from './word-gaps.ts';

/** Text set in columns looks like a table, but fills its columns line by line and has few figures. */
export function isProse(rows: readonly WordRow[], gaps: readonly number[]): boolean {
  const cells = rows.flatMap((row) => wordsBetween(row, gaps).map((words, column) => ({ words, column })));
  const filled = cells.filter(({ words }) => words.length > 0);
  const figures = filled.filter(({ words }) => isFigure(textOf(words))).length;
  // Wide blanks in justified lines give many columns with hardly a word in each.
  if (figures < filled.length * 0.2 && filled.length < cells.length * 0.5) return true;
  if (figures >= filled.length * 0.1) return false;
  const extents = extentsOf(rows, gaps);
  const isLong = ({ words, column }: (typeof filled)[number]) => {
    const [left, right] = extents[column]!;
    const [x0, , x1] = unionOf(words.map(({ box }) => box));
    return x1 - x0 > (right - left) * 0.85 && right - left > heightOf(words[0]!) * 8;
  };
  return filled.filter(isLong).length > filled.length * 0.5;
}

/** A bullet, a number or a mark of a note: what stands before it is a list and no column. */
const MARKER =
  /^(?:[-–—•·∙*▪◦■□►▸✓☐§※○●†‡]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\([^()]{1,2}\)|\[[\w+]{1,10}\]|(?:NB|Source|Note|Quelle|Fonte)s?[:.])$/iu;

/** Items of a list, with their marks in a column of their own. */
export function isList(rows: readonly WordRow[], gaps: readonly number[]): boolean {
  if (gaps.length > 1) return false;
  const firsts = rows.flatMap((row) => cellsBetween(row, gaps)[0] ?? []);
  const marked = firsts.filter((cell) => MARKER.test(String(cell)));
  return marked.length > 0 && marked.length >= firsts.length * 0.6;
}

/** Titles with the pages that they stand on, numbers that only rise. */
export function isTableOfContents(rows: readonly WordRow[], gaps: readonly number[], leaders: readonly Box[]): boolean {
  const dotted = rows.filter((row) => leaders.some((box) => box[1] < row[0]!.box[3] && box[3] > row[0]!.box[1]));
  if (gaps.length > 1 || dotted.length < rows.length * 0.5) return false;
  const pages = rows.flatMap((row) => /(?:^|\s)(\d{1,4})$/.exec(String(cellsBetween(row, gaps)[1] ?? ''))?.[1] ?? []);
  return pages.length > 0 && pages.every((page, at) => at === 0 || Number(page) >= Number(pages[at - 1]));
}

const MIN_LINES = 3;
const MIN_WORDS = 4;

/** Words of paragraphs: lines of several words below each other, without wide gaps and with few figures. */
export function proseWords(lines: readonly PageLine[]): Set<PageWord> {
  const found = new Set<PageWord>();
  for (const paragraph of paragraphsOf(lines)) {
    const words = paragraph.flatMap((line) => line.words);
    const figures = words.filter(({ text }) => isFigure(text)).length;
    if (paragraph.length < MIN_LINES || words.length < paragraph.length * MIN_WORDS) continue;
    if (figures > words.length * 0.25 || paragraph.filter(hasWideGap).length > paragraph.length * 0.2) continue;
    for (const word of words) found.add(word);
  }
  return found;
}

const hasWideGap = ({ words }: PageLine): boolean =>
  words.some((word, at) => at > 0 && word.box[0] - words[at - 1]!.box[2] > heightOf(word) * 1.5);
