const QUOTE = 34;
const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;

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
  const mark = separator.charCodeAt(0);
  for (;;) {
    const first = text.charCodeAt(at);
    const quote = first === QUOTE ? at : first === BLANK ? quoteAfterBlanks(text, at, mark) : -1;
    let end = quote < 0 ? endOfCell(text, at, mark) : at;
    if (quote < 0) onCell(text.slice(at, beforeReturn(text, at, end)), false);
    else {
      const close = closingQuote(text, quote + 1);
      const after = Math.min(close + 1, text.length);
      end = endOfCell(text, after, mark);
      const rest = end > after ? text.slice(after, beforeReturn(text, after, end)) : '';
      const hasRest = rest.trim() !== '';
      const inside = text.slice(quote + 1, close);
      if ((close === text.length || hasRest) && inside.includes('\n')) {
        // Quotes that never close, or close inside another cell lines below, would swallow the rows between.
        end = endOfCell(text, quote + 1, mark);
        onCell(text.slice(quote + 1, beforeReturn(text, quote + 1, end)), false);
      }
      // Text between the closing quote and the separator belongs to the cell; blanks there do not.
      else onCell(inside.replaceAll('""', '"') + (hasRest ? rest : ''), true);
    }
    if (end >= text.length || text.charCodeAt(end) === NEWLINE) return end + 1;
    at = end + 1;
  }
}

function endOfCell(text: string, from: number, separator: number): number {
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === separator || code === NEWLINE) break;
  }
  return end;
}

const beforeReturn = (text: string, from: number, end: number): number =>
  text.charCodeAt(end - 1) === RETURN && end > from ? end - 1 : end;

/** Where the quotes of a cell open that begins with blanks; below zero if they are not all of the cell. */
function quoteAfterBlanks(text: string, at: number, separator: number): number {
  let quote = at;
  while (text.charCodeAt(quote) === BLANK) quote++;
  if (text.charCodeAt(quote) !== QUOTE) return -1;
  let after = closingQuote(text, quote + 1) + 1;
  while (text.charCodeAt(after) === BLANK || text.charCodeAt(after) === RETURN) after++;
  return after === text.length || text.charCodeAt(after) === separator || text.charCodeAt(after) === NEWLINE
    ? quote
    : -1;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
}
