import { csvText, readCsvRecord } from '@atoll-mcp/formats/csv';
import { readNumber } from '../../domain/columns/column-numbers.ts';
import { type Cell, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { separatorOf } from '../../domain/formats/file-format.ts';

/** Of one row; the widest tables of genes and sensors have a tenth of that. */
const MOST_CELLS = 500_000;

/** Reads separated values as people and programs write them: quotes, line breaks inside them, any of four separators. */
export function readCsv(file: string, sheet: string, sink: ReadSink): void {
  const text = csvText(file);
  const head = text.slice(0, 64 * 1024);
  const separator = separatorOf(head);
  sink.sheet(sheet);
  if (separator === undefined && isSetApartByBlanks(head)) {
    readBlankSeparated(text, sink);
    return;
  }
  let at = 0;
  for (let number = 1; at < text.length; number++) {
    const cells: Cell[] = [];
    at = readCsvRecord(text, at, separator ?? ',', (cell) => {
      if (cells.push(fieldValue(cell)) > MOST_CELLS) throw tooWide(number);
    });
    if (cells.some((cell) => cell !== null) && !sink.row(number, cells)) return;
  }
}

const tooWide = (number: number): UnreadableFile =>
  new UnreadableFile(
    `It has more than ${MOST_CELLS.toLocaleString('en-US')} cells in row ${number}, the most that are read. Set line breaks between its rows and add it again`,
  );

/** Numbers in columns with blanks between them, as statistics programs write them. */
function isSetApartByBlanks(head: string): boolean {
  const [first, ...rows] = head
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 30)
    .map(fieldsOf);
  const [second] = rows;
  if (!first || !second || second.length < 2 || rows.length < 2) return false;
  if (first.length !== second.length && first.length !== second.length - 1) return false;
  // The head may end inside a line.
  return rows.slice(0, 28).every((fields, at) => {
    const numbers = fields.filter((field) => readNumber(field) !== undefined).length;
    return (fields.length === second.length || (at > 0 && at === rows.length - 1)) && numbers >= fields.length / 2;
  });
}

function readBlankSeparated(text: string, sink: ReadSink): void {
  const rows = text.split('\n').flatMap((line, at) => {
    const cells = fieldsOf(line).map(fieldValue);
    return cells.length === 0 ? [] : [{ number: at + 1, cells }];
  });
  const [first, second] = rows;
  // R does not name the column of its row names.
  if (first && second && first.cells.length === second.cells.length - 1) first.cells.unshift(null);
  for (const { number, cells } of rows) if (!sink.row(number, cells)) return;
}

const fieldsOf = (line: string): string[] =>
  (line.match(/"(?:[^"]|"")*"|\S+/g) ?? []).map((field) => field.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));

// Only whole numbers are taken as such: a point may mark thousands, which the column decides, and 007 and long ids stay as written.
function fieldValue(text: string): Cell {
  if (text === '' || (text.charCodeAt(0) <= 32 && text.trim() === '')) return null;
  const code = text.charCodeAt(0);
  if (code === EQUALS) return /^="([^"]*)"$/.exec(text)?.[1] ?? text;
  if ((code < 48 || code > 57) && code !== MINUS) return text;
  if (text.length > 17) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

const MINUS = 45;
/** Excel writes `="007"` to keep a text as it is. */
const EQUALS = 61;
