import { type CellObject, read, utils } from '@e965/xlsx';
import { type Cell, type ReadSink, UnreadableFile } from '../domain/document.ts';
import { excelDate, isDateFormat } from '../domain/excel-dates.ts';

/** Reads the binary workbooks of Excel 5 to 2003. */
export function readXls(bytes: Uint8Array, sink: ReadSink): void {
  const workbook = open(bytes);
  const uses1904 = workbook.Workbook?.WBProps?.date1904 === true;
  for (const name of workbook.SheetNames) {
    const sheet = workbook.Sheets[name];
    if (!sheet) continue;
    sink.sheet(name);
    const reach = sheet['!ref'];
    if (!reach) continue;
    const { s: from, e: to } = utils.decode_range(reach);
    const below = mergedBelow(sheet['!merges'] ?? []);
    for (let row = from.r; row <= to.r; row++) {
      const cells: Cell[] = [];
      for (let column = 0; column <= to.c; column++) {
        const own = sheet[utils.encode_cell({ r: row, c: column })] as CellObject | undefined;
        const anchor = below.get(`${row},${column}`);
        cells.push(
          cellValue(own ?? (anchor === undefined ? undefined : (sheet[anchor] as CellObject | undefined)), uses1904),
        );
      }
      while (cells.length > 0 && cells.at(-1) === null) cells.pop();
      if (cells.some((cell) => cell !== null) && !sink.row(row + 1, cells)) break;
    }
  }
}

function open(bytes: Uint8Array) {
  try {
    return read(bytes, { type: 'buffer', cellNF: true, cellHTML: false, cellText: false });
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) {
      throw new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
    }
    throw new UnreadableFile('It is broken: the workbook cannot be read');
  }
}

function cellValue(cell: CellObject | undefined, uses1904: boolean): Cell {
  if (!cell || cell.v === undefined || cell.v === '') return null;
  if (cell.t === 'e') return cell.w ?? '#ERROR';
  if (typeof cell.v === 'number' && typeof cell.z === 'string' && isDateFormat(0, cell.z)) {
    return excelDate(cell.v, uses1904);
  }
  return cell.v instanceof Date ? cell.v.toISOString().slice(0, 10) : cell.v;
}

function mergedBelow(
  merges: readonly { s: { r: number; c: number }; e: { r: number; c: number } }[],
): Map<string, string> {
  const anchors = new Map<string, string>();
  for (const { s, e } of merges) {
    for (let row = s.r + 1; row <= e.r && anchors.size < 100_000; row++)
      anchors.set(`${row},${s.c}`, utils.encode_cell(s));
  }
  return anchors;
}
