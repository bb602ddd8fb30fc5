const QUOTE = 34;
const NEWLINE = 10;
const RETURN = 13;

/** A line of a CSV file with its line break. Objects are written as JSON; a missing value is an empty cell. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Without a byte order mark, and with lines that end in `\n`: old Macintosh programs end them with `\r` alone. */
export function csvText(text: string): string {
  const unmarked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return unmarked.includes('\n') ? unmarked : unmarked.replaceAll('\r', '\n');
}

/**
 * Reads the record that begins at `start`, with quotes and line breaks inside them, and returns where the next one begins.
 * `text` is from `csvText`.
 */
export function readCsvRecord(
  text: string,
  start: number,
  separator: string,
  onCell: (text: string, isQuoted: boolean) => void,
): number {
  let at = start;
  for (;;) {
    let end = at;
    if (text.charCodeAt(at) === QUOTE) {
      end = closingQuote(text, at + 1);
      onCell(text.slice(at + 1, end).replaceAll('""', '"'), true);
      end = Math.min(end + 1, text.length);
      // Text between the closing quote and the separator belongs to no cell.
      while (end < text.length && text[end] !== separator && text.charCodeAt(end) !== NEWLINE) end++;
    } else {
      while (end < text.length && text[end] !== separator && text.charCodeAt(end) !== NEWLINE) end++;
      const stop = text.charCodeAt(end - 1) === RETURN && end > at ? end - 1 : end;
      onCell(text.slice(at, stop), false);
    }
    if (end >= text.length || text.charCodeAt(end) === NEWLINE) return end + 1;
    at = end + 1;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
}
