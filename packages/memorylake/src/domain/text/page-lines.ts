import type { Box } from '../document.ts';

export interface PageCharacter {
  readonly text: string;
  /** Absent for blanks and line ends that the engine put in. */
  readonly box: Box | undefined;
}

export interface PageWord {
  readonly text: string;
  readonly box: Box;
}

export interface PageLine {
  readonly text: string;
  readonly box: Box;
  readonly words: readonly PageWord[];
}

/** Gathers the characters of a page, in reading order, into lines and words with their boxes. */
export function linesOfPage(characters: readonly PageCharacter[]): PageLine[] {
  const lines: PageLine[] = [];
  let words: PageWord[] = [];
  let text = '';
  let word = '';
  let box: Box | undefined;
  const endWord = () => {
    if (word !== '' && box) words.push({ text: word, box });
    word = '';
    box = undefined;
  };
  const endLine = () => {
    endWord();
    const clean = text.replace(/[ \t]+/g, ' ').trim();
    if (clean !== '' && words.length > 0) lines.push({ text: clean, box: unionOf(words.map((one) => one.box)), words });
    words = [];
    text = '';
  };
  let last: Box | undefined;
  let isBroken = false;
  for (const character of characters) {
    if (character.text === '\n') isBroken = true;
    else if (character.text === '\r') continue;
    else {
      // Letters that a file sets one by one have line ends between them.
      const areFigures = /[\d.,]$/.test(word) && /[\d.,%]/.test(character.text);
      if (isBroken && !(word !== '' && last && character.box && isBeside(last, character.box, areFigures))) endLine();
      isBroken = false;
      const isBlank = /\s/.test(character.text);
      // Cells of a table may follow each other without a blank; the letters of a spaced title are one word.
      const gap = isBlank || !box || !character.box ? 0 : character.box[0] - box[2];
      const height = box ? box[3] - box[1] : 0;
      if (gap > Math.max(10, height * 2) && !SPACED.test(word + character.text)) text += ' ';
      if (isBlank || gap > Math.max(6, height * 0.8)) endWord();
      text += character.text;
      if (isBlank) continue;
      word += character.text;
      last = character.box;
      box = character.box ? (box ? unionOf([box, character.box]) : character.box) : box;
    }
  }
  endLine();
  return lines;
}

/** Whether a character stands right behind another, on its line. */
function isBeside(one: Box, next: Box, areFigures: boolean): boolean {
  const heights = [one[3] - one[1], next[3] - next[1]] as const;
  const gap = next[0] - one[2];
  const shared = Math.min(one[3], next[3]) - Math.max(one[1], next[1]);
  return (
    Math.abs(gap) <= Math.max(...heights) * (areFigures ? 0.4 : 0.25) &&
    shared >= Math.min(...heights) * 0.5 &&
    next[0] > one[0]
  );
}

/** Chinese and Japanese signs on both sides. */
const SPACED = /[\u3040-\u30ff\u3400-\u9fff]{2}$/;

export function unionOf(boxes: readonly Box[]): Box {
  let [x0, y0, x1, y1] = boxes[0]!;
  for (const box of boxes) {
    x0 = Math.min(x0, box[0]);
    y0 = Math.min(y0, box[1]);
    x1 = Math.max(x1, box[2]);
    y1 = Math.max(y1, box[3]);
  }
  return [x0, y0, x1, y1];
}

/** Paragraphs of a page: lines that follow each other closely. A jump up begins a column, a gap a paragraph. */
export function paragraphsOf<Line extends PageLine>(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1)?.at(-1);
    const height = line.box[3] - line.box[1];
    const gap = last ? line.box[1] - last.box[3] : Number.POSITIVE_INFINITY;
    const taller = last ? Math.max(height, last.box[3] - last.box[1]) : height;
    if (last && gap > -taller * 1.2 && gap < taller * 0.9) paragraphs.at(-1)!.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

/** Share of a page, from its top and its bottom, in which headers and footers stand. */
const MARGIN = 0.1;
const REPEATS = 3;

interface MarginLine {
  readonly line: PageLine;
  readonly page: number;
  readonly numbers: readonly string[];
}

/**
 * Headers and footers after the first: lines at the top or bottom of many pages that are the same but for numbers that count
 * with the pages. Other numbers are data, such as the first row of a table that goes on.
 */
export function repeatedLines(
  pages: readonly { readonly number: number; readonly lines: readonly PageLine[]; readonly height: number }[],
): Set<PageLine> {
  const alike = new Map<string, MarginLine[]>();
  for (const { number: page, lines, height } of pages) {
    for (const line of lines.filter(({ box }) => isMarginal(box, height))) {
      const key = line.text.replace(/\d+/g, '#').replace(/\s+/g, ' ');
      const group = alike.get(key) ?? [];
      group.push({ line, page, numbers: line.text.match(/\d+/g) ?? [] });
      alike.set(key, group);
    }
  }
  const least = Math.max(REPEATS, pages.length * 0.4);
  const repeated = new Set<PageLine>();
  for (const group of alike.values()) {
    const same = group.length < least ? [] : withoutData(group);
    if (new Set(same.map(({ page }) => page)).size < least) continue;
    for (const { line } of same.slice(1)) repeated.add(line);
  }
  return repeated;
}

/** The lines whose numbers are those of most others, or count with the pages as those of most others do. */
function withoutData(group: readonly MarginLine[]): MarginLine[] {
  const positions = group[0]!.numbers.map((_, at) => ({
    value: mostCommon(group.map(({ numbers }) => numbers[at]!)),
    ahead: mostCommon(group.map(({ numbers, page }) => String(Number(numbers[at]) - page))),
  }));
  return group.filter(({ numbers, page }) =>
    positions.every(({ value, ahead }, at) => numbers[at] === value || String(Number(numbers[at]) - page) === ahead),
  );
}

function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

const isMarginal = (box: Box, height: number): boolean => box[3] < height * MARGIN || box[1] > height * (1 - MARGIN);
