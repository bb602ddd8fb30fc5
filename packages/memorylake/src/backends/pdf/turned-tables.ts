import type { Box, DocumentTable } from '../../domain/document.ts';
import { type Turn, turnBox } from '../../domain/pictures/picture.ts';
import { findTables, type Ruling } from '../../domain/tables/find-tables.ts';
import { linesOfPage, type PageCharacter } from '../../domain/text/page-lines.ts';

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The tables of a page whose text is set along its side, with boxes of the page as it is shown. */
export function turnedTables(
  page: Sides & { readonly number: number; readonly rulings: readonly Ruling[] },
  characters: readonly PageCharacter[],
  turn: Turn,
): DocumentTable[] {
  const upright = (box: Box) => turnBox(box, page, turn);
  const turned: Sides = turn === 180 ? page : { width: page.height, height: page.width };
  const back = (box: Box) => turnBox(box, turned, (360 - turn) as Turn);
  const lines = linesOfPage(characters.map(({ text, box }) => ({ text, box: box && upright(box) })));
  const tables = findTables(page.number, lines, page.rulings.map(upright));
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => (row.box ? { ...row, box: back(row.box) } : row)),
  }));
}
