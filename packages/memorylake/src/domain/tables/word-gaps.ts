import type { Cell } from '../document.ts';
import type { PageWord } from '../text/page-lines.ts';
import { piecesOf, textOf, type WordRow } from './text-rows.ts';

/** Where hardly a row has a word: the middles of the gaps between columns. */
export function gapsOf(rows: readonly WordRow[]): number[] {
  const most = Math.floor(rows.length / 15);
  const edges = rows
    .flatMap((row) => piecesOf(row).flatMap(({ box }) => [[box[0], 1] as const, [box[2], -1] as const]))
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const gaps: number[] = [];
  let open = 0;
  let since: number | undefined;
  for (const [x, change] of edges) {
    const before = open;
    open += change;
    if (before > most && open <= most) since = x;
    else if (before <= most && open > most) {
      if (since !== undefined && x - since > 3) gaps.push((since + x) / 2);
      since = undefined;
    }
  }
  return gaps;
}

/** From where to where the words of each column stand. */
export function extentsOf(rows: readonly WordRow[], gaps: readonly number[]): [number, number][] {
  const extents = Array.from({ length: gaps.length + 1 }, (): [number, number] => [Number.POSITIVE_INFINITY, 0]);
  for (const word of rows.flat()) {
    const extent = extents[columnAt(gaps, (word.box[0] + word.box[2]) / 2)]!;
    extent[0] = Math.min(extent[0], word.box[0]);
    extent[1] = Math.max(extent[1], word.box[2]);
  }
  return extents;
}

export const cellsBetween = (row: WordRow, gaps: readonly number[]): Cell[] => wordsBetween(row, gaps).map(textOf);

export function wordsBetween(row: WordRow, gaps: readonly number[]): PageWord[][] {
  const cells: PageWord[][] = Array.from({ length: gaps.length + 1 }, () => []);
  const pieces = piecesOf(row);
  // A line of its own is a label of what follows, however far it goes.
  if (pieces.length === 1) cells[columnAt(gaps, row[0]!.box[0])]!.push(...row);
  else for (const word of row) cells[columnAt(gaps, (word.box[0] + word.box[2]) / 2)]!.push(word);
  return cells;
}

export const columnAt = (gaps: readonly number[], x: number): number => gaps.filter((gap) => gap < x).length;
