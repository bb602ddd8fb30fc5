import type { PageWord } from '../text/page-lines.ts';
import type { Segment } from './find-tables.ts';
import { isFigure, piecesOf, rowsOfWords, textOf, type WordRow } from './text-rows.ts';
import { gapsOf } from './word-gaps.ts';

/** A gap between figures that no line is drawn in: where it is, and the drawn lines beside it. */
interface InnerGap {
  readonly at: number;
  /** Whether a line is drawn there in other rows. */
  readonly isDrawn: boolean;
  readonly left: number;
  readonly right: number;
}

const MIN_ROWS = 3;

/** Columns that share a drawn one, or whose line is not drawn in every row: most rows have figures at the right of the same gap. */
export function innerGaps(xs: readonly number[], words: readonly PageWord[]): InnerGap[] {
  return xs.slice(1).flatMap((right, index) => {
    const left = xs[index]!;
    const after = xs[index + 2];
    const gaps = gapsBetween(left, right, words, (core) => gapsOf(core)).map((gap) => ({ ...gap, isDrawn: false }));
    if (after === undefined) return gaps;
    const drawn = gapsBetween(left, after, words, () => [right]);
    return [...gaps, ...drawn.map((gap) => ({ ...gap, isDrawn: true }))];
  });
}

function gapsBetween(
  left: number,
  right: number,
  words: readonly PageWord[],
  find: (core: readonly WordRow[]) => readonly number[],
) {
  const rows = rowsOfWords(words.filter(({ box }) => box[0] >= left - 1 && box[2] <= right + 1));
  const core = rows.filter((row) =>
    piecesOf(row)
      .slice(1)
      .some((piece) => isFigure(textOf(piece.words))),
  );
  if (core.length < MIN_ROWS || core.length < rows.length * 0.6) return [];
  const gaps = find(core).filter((gap) => isFiguresRightOf(core, gap));
  return gaps.map((at) => ({ at, left, right }));
}

function isFiguresRightOf(rows: readonly (readonly PageWord[])[], gap: number): boolean {
  const parted = rows.flatMap((row) => {
    const pieces = piecesOf(row);
    const next = pieces.find(({ box }) => box[0] > gap);
    return next && pieces[0]!.box[2] < gap ? [isFigure(textOf(next.words))] : [];
  });
  return parted.length >= rows.length * 0.8 && parted.filter(Boolean).length >= parted.length * 0.8;
}

/** The gaps as lines beside the rows that have them; a name above both columns stands over the gap. */
export function innerLines(gaps: readonly InnerGap[], ys: readonly number[], words: readonly PageWord[]): Segment[] {
  return gaps.flatMap(({ at, left, right, isDrawn }) =>
    ys.slice(1).flatMap((bottom, row) => {
      const top = ys[row]!;
      const inside = words.filter(({ box }) => {
        const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
        return x > left && x < right && y >= top && y < bottom;
      });
      const pieces = rowsOfWords(inside).flatMap(piecesOf);
      const isCrossed = pieces.some(({ box }) => box[0] < at && box[2] > at);
      const isParted = pieces.some(({ box }) => box[2] <= at) && pieces.some(({ box }) => box[0] >= at);
      return !isCrossed && (isDrawn ? isParted : pieces.length > 0) ? [{ at, from: top, to: bottom }] : [];
    }),
  );
}
