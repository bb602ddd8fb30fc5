import type { Box, Cell, TableRow } from '../document.ts';
import { type PageWord, unionOf } from '../text/page-lines.ts';

export type WordRow = readonly PageWord[];

interface Piece {
  readonly words: readonly PageWord[];
  readonly box: Box;
}

/** Words by the height they stand at, from top to bottom, each row from left to right. */
export function rowsOfWords(words: readonly PageWord[]): PageWord[][] {
  const rows: PageWord[][] = [];
  for (const word of [...words].sort((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    // A dash is as high as its stroke: the taller of two says whether they stand side by side.
    if (row && first && Math.abs(middle(first) - middle(word)) < Math.max(heightOf(first), heightOf(word)) * 0.5)
      row.push(word);
    else rows.push([word]);
  }
  return rows.map((row) => row.sort((a, b) => a.box[0] - b.box[0]));
}

export const heightOf = ({ box }: PageWord): number => box[3] - box[1];

const middle = ({ box }: PageWord): number => (box[1] + box[3]) / 2;

export function textOf(words: readonly PageWord[] | undefined): Cell {
  if (!words || words.length === 0) return null;
  const text = words.map((word) => word.text).join(' ');
  // Dots that lead to the next column are drawn, not written.
  return text.replace(/\s*[.·…_]{4,}$/, '') || null;
}

/** A number as tables have it, or a sign that stands for a missing one. */
export const isFigure = (cell: Cell | undefined): boolean =>
  typeof cell === 'string' && (/^[-–—:*]{1,3}$/.test(cell) || (/\d/.test(cell) && !/\p{L}{3,}/u.test(cell)));

/** The first row names the columns when it is all words and a row below has figures. */
export function headerOf(rows: readonly TableRow[]): number {
  const [first, ...rest] = rows;
  return first && !first.cells.some(isFigure) && rest.some(({ cells }) => cells.some(isFigure)) ? 1 : 0;
}

/** Words that stand close together. Figures are apart as soon as there is more than a blank between them. */
export function piecesOf(row: WordRow): Piece[] {
  const pieces: { words: PageWord[]; box: Box }[] = [];
  for (const word of row) {
    const last = pieces.at(-1);
    const gap = last ? word.box[0] - last.box[2] : 0;
    const height = Math.max(heightOf(word), last ? heightOf(last.words.at(-1)!) : 0);
    const areFigures = isFigure(word.text) && isFigure(last?.words.at(-1)?.text);
    if (last && gap < (areFigures ? Math.max(3, height * 0.6) : Math.max(6, height * 0.9))) {
      last.words.push(word);
      last.box = unionOf([last.box, word.box]);
    } else pieces.push({ words: [word], box: word.box });
  }
  return pieces;
}
