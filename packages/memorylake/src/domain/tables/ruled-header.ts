import type { DocumentTable, TableRow } from '../document.ts';
import { headerOf, isFigure } from './text-rows.ts';

/** A row between drawn lines. Cells with the same owner are one cell of the page. */
export interface GridRow extends TableRow {
  readonly owners: readonly number[];
}

const MAX_HEADER_ROWS = 6;
/** How far below a header its table begins. */
const NEAR = 15;
const ALIGNED = 6;

/** A table with its title and header rows told from the others: by cells that reach over several rows or columns. */
export function withHeader(page: number, grid: readonly GridRow[]): DocumentTable {
  const titles = titleRows(grid);
  const below = grid.slice(titles);
  const rows = below.map(({ owners: _, ...row }) => row);
  const caption = grid.slice(0, titles).map(({ cells }) => cells[0]);
  return {
    headerRows: headerRowsOf(below),
    rows,
    page,
    ...(titles > 0 && { caption: caption.join(' ') }),
  };
}

/** Rows at the top that are one cell over the whole width. */
function titleRows(grid: readonly GridRow[]): number {
  const isWhole = ({ owners, cells }: GridRow) => new Set(owners).size === 1 && cells[0] !== null;
  const count = grid.findIndex((row) => !isWhole(row));
  return count > 0 && grid.length - count >= 2 ? count : 0;
}

function headerRowsOf(grid: readonly GridRow[]): number {
  const plain = headerOf(grid);
  const first = grid[0]!;
  if (first.cells.some((cell) => isFigure(cell))) return plain;
  // A name at the side of a header reaches down to its last row.
  let count = 1;
  while (count < grid.length && reachesDown(grid[count - 1]!, grid[count]!)) count++;
  if (count === 1 && plain === 0) return 0;
  // Below names that reach over several columns stand the names of each.
  while (count < grid.length - 1 && isSpread(grid[count - 1]!) && isNames(grid[count]!)) count++;
  return count >= grid.length || count > MAX_HEADER_ROWS ? plain : count;
}

const reachesDown = (above: GridRow, row: GridRow): boolean =>
  row.owners.some((owner, at) => owner === above.owners[at] && row.cells[at] !== null);

const isSpread = ({ owners, cells }: GridRow): boolean =>
  owners.some((owner, at) => at > 0 && owner === owners[at - 1] && cells[at] !== null);

const isNames = ({ cells }: GridRow): boolean =>
  cells.filter((cell) => cell !== null).length > 1 && !cells.some((cell) => isFigure(cell));

/** A header with a frame of its own belongs to the table right below it. */
export function joinHeaders(tables: readonly DocumentTable[]): DocumentTable[] {
  const sorted = [...tables].sort((a, b) => (a.rows[0]!.box?.[1] ?? 0) - (b.rows[0]!.box?.[1] ?? 0));
  const joined: DocumentTable[] = [];
  for (const table of sorted) {
    const above = joined.at(-1);
    if (above && isHeaderOf(above, table)) {
      joined[joined.length - 1] = { ...above, headerRows: above.rows.length, rows: [...above.rows, ...table.rows] };
    } else joined.push(table);
  }
  return joined;
}

function isHeaderOf(above: DocumentTable, table: DocumentTable): boolean {
  const [last, first] = [above.rows.at(-1)!, table.rows[0]!];
  if (!last.box || !first.box || table.caption !== undefined) return false;
  const gap = first.box[1] - last.box[3];
  const sides = [first.box[0] - last.box[0], first.box[2] - last.box[2]];
  return (
    last.cells.length === first.cells.length &&
    above.rows.length <= MAX_HEADER_ROWS &&
    gap > -1 &&
    gap < NEAR &&
    sides.every((side) => Math.abs(side) < ALIGNED) &&
    !above.rows.some(({ cells }) => cells.some((cell) => isFigure(cell))) &&
    table.rows.some(({ cells }) => cells.some((cell) => isFigure(cell)))
  );
}
