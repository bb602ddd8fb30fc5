import { type CellObject, read, set_cptable, utils, type WorkSheet } from '@e965/xlsx';
import { excelTime, timeFormatOf } from '../../domain/columns/excel-dates.ts';
import { type Cell, type FileFormat, type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';

import { type CellNote, NoteWriter } from './sheet-notes.ts';

const MOST_COLUMNS = 16_384;

/** Reads workbooks of other kinds than .xlsx: those of old Excels, binary ones, OpenDocument, Numbers, XML and SYLK. */
export async function readWorkbook(
  bytes: Uint8Array,
  format: FileFormat,
  sink: ReadSink,
  limits: ReadLimits,
): Promise<void> {
  if (format === 'xls' && needsCodePages(bytes)) set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  const workbook = open(bytes, format, limits);
  const notes = new NoteWriter(sink);
  const uses1904 = workbook.Workbook?.WBProps?.date1904 === true;
  for (const name of workbook.SheetNames) {
    const sheet = workbook.Sheets[name];
    if (!sheet) continue;
    sink.sheet(name);
    readSheet(sheet, uses1904, sink);
    notes.notes(name, notesOn(sheet));
  }
}

/** The record of an old Excel that says which code page its texts have. */
const CODE_PAGE = Buffer.from([0x42, 0, 2, 0]);
/** ASCII, UTF-16, Western Windows under both of its numbers: what can be read without tables. */
const PLAIN_PAGES = new Set([367, 1200, 1252, 32_769]);

/** Workbooks of Excel 2 to 95 have texts in the code page of the machine that wrote them. */
function needsCodePages(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf(CODE_PAGE); at >= 0 && at + 6 <= file.length; at = file.indexOf(CODE_PAGE, at + 1)) {
    const page = file.readUInt16LE(at + 4);
    if ((page === 32_768 || (page >= 437 && page < 11_000)) && !PLAIN_PAGES.has(page)) return true;
  }
  return false;
}

function notesOn(sheet: WorkSheet): CellNote[] {
  const rows = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  return rows.flatMap((cells, r) =>
    (cells ?? []).flatMap((cell, c) =>
      (cell?.c ?? []).map(({ a, t }) => ({ ref: utils.encode_cell({ r, c }), author: a ?? '', text: t ?? '' })),
    ),
  );
}

function readSheet(sheet: WorkSheet, uses1904: boolean, sink: ReadSink): void {
  const data = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  const below = mergedBelow(sheet['!merges'] ?? []);
  for (let row = 0; row < data.length; row++) {
    const own = data[row];
    const merged = below.get(row);
    if (!own && !merged) continue;
    const cells: Cell[] = [];
    const width = Math.min(MOST_COLUMNS, own?.length ?? 0);
    for (let column = 0; column < width; column++) cells.push(cellValue(own![column], uses1904));
    for (const [column, anchor] of merged ?? []) {
      const value = cellValue(data[anchor]?.[column], uses1904);
      // A number that spans rows stands in the first alone: a sum would count it again.
      if (typeof value !== 'string') continue;
      while (cells.length <= column) cells.push(null);
      cells[column] ??= value;
    }
    while (cells.length > 0 && cells.at(-1) === null) cells.pop();
    if (cells.length > 0 && !sink.row(row + 1, cells)) break;
  }
}

function open(bytes: Uint8Array, format: FileFormat, limits: ReadLimits) {
  try {
    // One row more than may be read, so that the sink can refuse it.
    const options = { cellNF: true, cellHTML: false, cellText: false, cellFormula: false, dense: true } as const;
    return read(bytes, { ...options, type: 'buffer', sheetRows: limits.maxRows + 1, raw: true });
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) {
      throw new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
    }
    if (format === 'numbers') throw new UnreadableFile('It is a Numbers file that cannot be read. Export it as .xlsx');
    throw new UnreadableFile('It is broken: the workbook cannot be read');
  }
}

/** Error values by the code that Excel stores. */
const ERRORS: ReadonlyMap<unknown, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

function cellValue(cell: CellObject | undefined, uses1904: boolean): Cell {
  if (!cell || cell.v === undefined || cell.v === '') return null;
  if (cell.t === 'e') return ERRORS.get(cell.v) ?? cell.w ?? '#ERROR';
  if (typeof cell.v === 'number' && typeof cell.z === 'string') {
    return excelTime(cell.v, timeFormatOf(0, cell.z), uses1904);
  }
  if (cell.v instanceof Date) return Number.isNaN(cell.v.getTime()) ? null : cell.v.toISOString().slice(0, 10);
  return cell.v;
}

/** For rows below the first of a merged range: the columns that take their value from that first row. */
function mergedBelow(
  merges: readonly { s: { r: number; c: number }; e: { r: number; c: number } }[],
): Map<number, [column: number, anchor: number][]> {
  const rows = new Map<number, [number, number][]>();
  let count = 0;
  for (const { s, e } of merges) {
    for (let row = s.r + 1; row <= e.r && count < 100_000; row++, count++) {
      const columns = rows.get(row);
      if (columns) columns.push([s.c, s.r]);
      else rows.set(row, [[s.c, s.r]]);
    }
  }
  return rows;
}
