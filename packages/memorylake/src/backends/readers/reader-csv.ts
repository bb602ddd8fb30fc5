import type { Cell, ReadSink } from '../../domain/document.ts';
import { separatorOf } from '../../domain/formats/file-format.ts';

/** Reads separated values as people and programs write them: quotes, line breaks inside them, any of four separators. */
export function readCsv(text: string, sheet: string, sink: ReadSink): void {
  const marked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  // Old Macintosh programs end lines with CR alone.
  const clean = marked.includes('\n') ? marked : marked.replaceAll('\r', '\n');
  const separator = separatorOf(clean.slice(0, 64 * 1024)) ?? ',';
  sink.sheet(sheet);
  let at = 0;
  for (let number = 1; at < clean.length; number++) {
    const cells: Cell[] = [];
    at = readRecord(clean, at, separator, cells);
    if (cells.some((cell) => cell !== null) && !sink.row(number, cells)) return;
  }
}

function readRecord(text: string, start: number, separator: string, cells: Cell[]): number {
  let at = start;
  for (;;) {
    const quoted = text.charCodeAt(at) === 34;
    let end = at;
    if (quoted) {
      end = closingQuote(text, at + 1);
      cells.push(fieldValue(text.slice(at + 1, end).replaceAll('""', '"')));
      end = Math.min(end + 1, text.length);
      // Whatever stands between the closing quote and the separator is no value.
      while (end < text.length && text[end] !== separator && text[end] !== '\n') end++;
    } else {
      while (end < text.length && text[end] !== separator && text.charCodeAt(end) !== 10) end++;
      const stop = text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end;
      cells.push(fieldValue(text.slice(at, stop)));
    }
    if (end >= text.length || text.charCodeAt(end) === 10) return end + 1;
    at = end + 1;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (text.charCodeAt(at + 1) !== 34) return at;
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
