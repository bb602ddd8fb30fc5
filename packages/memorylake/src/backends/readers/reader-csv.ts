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

// A number is one only when writing it back gives the same: 007, 1.50 and 20-digit ids stay as they are written.
function fieldValue(text: string): Cell {
  if (text === '' || (text.charCodeAt(0) <= 32 && text.trim() === '')) return null;
  const code = text.charCodeAt(0);
  if ((code < 48 || code > 57) && code !== 45 && code !== 46) return text;
  if (text.length > 17) return text;
  const number = Number(text);
  return String(number) === text && text !== '-Infinity' ? number : text;
}
