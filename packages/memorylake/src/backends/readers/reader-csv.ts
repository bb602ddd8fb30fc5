import { csvText, readCsvRecord } from '@atoll-mcp/formats/csv';
import type { Cell, ReadSink } from '../../domain/document.ts';
import { separatorOf } from '../../domain/formats/file-format.ts';

/** Reads separated values as people and programs write them: quotes, line breaks inside them, any of four separators. */
export function readCsv(file: string, sheet: string, sink: ReadSink): void {
  const text = csvText(file);
  const separator = separatorOf(text.slice(0, 64 * 1024)) ?? ',';
  sink.sheet(sheet);
  let at = 0;
  for (let number = 1; at < text.length; number++) {
    const cells: Cell[] = [];
    at = readCsvRecord(text, at, separator, (cell) => cells.push(fieldValue(cell)));
    if (cells.some((cell) => cell !== null) && !sink.row(number, cells)) return;
  }
}

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
