/** Where a run of text stands on a page, in points from the lower left. */
export interface TextBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const SAME_COLUMN = 4;
const LEAST_GAP = 6;
const LEAST_ROWS = 3;

/**
 * Counts the tables of a page by how its text is set: three or more lines below each other, each in two or more
 * pieces, whose pieces begin or end at the same places.
 */
export function countTables(boxes: readonly TextBox[]): number {
  let tables = 0;
  let run = 1;
  let before: TextBox[] = [];
  for (const line of linesOf(boxes)) {
    if (aligned(before, line)) {
      run++;
      if (run === LEAST_ROWS) tables++;
    } else run = 1;
    before = line;
  }
  return tables;
}

function linesOf(boxes: readonly TextBox[]): TextBox[][] {
  const lines: TextBox[][] = [];
  for (const box of [...boxes].sort((a, b) => b.bottom - a.bottom || a.left - b.left)) {
    const line = lines.at(-1);
    const reference = line?.[0];
    const height = Math.max(2, box.top - box.bottom);
    if (line && reference && Math.abs(reference.bottom - box.bottom) < height * 0.5) line.push(box);
    else lines.push([box]);
  }
  return lines.map((line) => joinNeighbours(line.sort((a, b) => a.left - b.left)));
}

// Words of one cell come as several boxes; only a clear gap parts two cells.
function joinNeighbours(line: readonly TextBox[]): TextBox[] {
  const cells: TextBox[] = [];
  for (const box of line) {
    const last = cells.at(-1);
    if (last && box.left - last.right < LEAST_GAP)
      cells[cells.length - 1] = { ...last, right: Math.max(last.right, box.right) };
    else cells.push(box);
  }
  return cells;
}

function aligned(above: readonly TextBox[], line: readonly TextBox[]): boolean {
  if (above.length < 2 || line.length < 2) return false;
  const meets = line.filter((box) =>
    above.some(
      (other) =>
        Math.abs(other.left - box.left) < SAME_COLUMN ||
        Math.abs(other.right - box.right) < SAME_COLUMN ||
        Math.abs(other.left + other.right - box.left - box.right) < 2 * SAME_COLUMN,
    ),
  ).length;
  return meets >= Math.max(2, Math.min(above.length, line.length) * 0.6);
}
