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
  for (const character of characters) {
    if (character.text === '\n') endLine();
    else if (character.text === '\r') continue;
    else {
      text += character.text;
      if (/\s/.test(character.text)) endWord();
      else {
        // Cells of a table may follow each other without a blank.
        if (box && character.box && isApart(box, character.box)) endWord();
        word += character.text;
        box = character.box ? (box ? unionOf([box, character.box]) : character.box) : box;
      }
    }
  }
  endLine();
  return lines;
}

const isApart = (word: Box, next: Box): boolean => next[0] - word[2] > Math.max(6, (word[3] - word[1]) * 0.8);

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

/** Lines that stand on many pages at their top or bottom, page numbers aside: headers and footers. */
export function repeatedLines(
  pages: readonly { readonly lines: readonly PageLine[]; readonly height: number }[],
): Set<string> {
  const counts = new Map<string, number>();
  for (const { lines, height } of pages) {
    const keys = lines.filter(({ box }) => isMarginal(box, height)).map(({ text }) => marginKey(text));
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(REPEATS, pages.length * 0.4);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}

export const isMarginal = (box: Box, height: number): boolean =>
  box[3] < height * MARGIN || box[1] > height * (1 - MARGIN);

export const marginKey = (text: string): string => text.replace(/\d+/g, '#').replace(/\s+/g, ' ');
