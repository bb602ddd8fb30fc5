import { excelTime, type TimeFormat } from '../../domain/columns/excel-dates.ts';
import type { Cell } from '../../domain/document.ts';
import { unescapeXml } from '../../domain/text/xml-text.ts';

/** What the cells of a workbook refer to. */
export interface WorkbookParts {
  readonly strings: readonly string[];
  /** By style number: the time that it shows. */
  readonly timeStyles: readonly TimeFormat[];
  readonly uses1904: boolean;
}

/** A value that spans rows below its own: column, first and last row. */
export interface Merge {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

const WIDEST = 16_384;

/**
 * Takes the XML of a sheet in pieces of any size and gives its rows. Written for speed: it looks for the few tags it
 * knows and never builds a tree.
 */
export class SheetScanner {
  #rest = '';
  #nextRow = 1;
  readonly #parts: WorkbookParts;
  /** Still to begin, the next one last. */
  readonly #merges: Merge[];
  #open: { merge: Merge; value: string }[] = [];
  readonly #onRow: (number: number, cells: Cell[]) => boolean;
  #prefix: string | undefined;
  done = false;

  constructor(parts: WorkbookParts, merges: readonly Merge[], onRow: (number: number, cells: Cell[]) => boolean) {
    this.#parts = parts;
    this.#merges = [...merges].sort((a, b) => b.from - a.from);
    this.#onRow = onRow;
  }

  push(piece: string): void {
    const xml = this.#rest === '' ? piece : this.#rest + piece;
    this.#prefix ??= /<((?:[\w-]+:)?)worksheet\b/.exec(xml)?.[1];
    const open = `<${this.#prefix ?? ''}row`;
    const close = `</${this.#prefix ?? ''}row>`;
    let at = 0;
    while (!this.done) {
      const start = xml.indexOf(open, at);
      if (start < 0) break;
      const tagEnd = xml.indexOf('>', start);
      if (tagEnd < 0) break;
      if (xml.charCodeAt(tagEnd - 1) === 47) {
        at = tagEnd + 1;
        continue;
      }
      const end = xml.indexOf(close, tagEnd);
      if (end < 0) {
        at = start;
        break;
      }
      this.#row(xml.slice(start, tagEnd), xml.slice(tagEnd + 1, end));
      at = end + close.length;
    }
    // A tag may be cut in two at the end of a piece, so a little is kept even where no row began.
    const begun = xml.indexOf(open, at);
    this.#rest = begun >= 0 ? xml.slice(begun) : xml.slice(Math.max(at, xml.length - open.length - 64));
  }

  #row(tag: string, inside: string): void {
    const number = Number(attribute(tag, 'r') ?? this.#nextRow);
    this.#nextRow = number + 1;
    const cells: Cell[] = [];
    const open = `<${this.#prefix ?? ''}c`;
    let column = 0;
    for (let at = tagAt(inside, open, 0); at >= 0; ) {
      const tagEnd = inside.indexOf('>', at);
      if (tagEnd < 0) break;
      const next = tagAt(inside, open, tagEnd);
      const head = inside.slice(at + open.length, tagEnd);
      const place = attribute(head, 'r');
      if (place !== undefined) column = columnOf(place);
      if (column < WIDEST && head.charCodeAt(head.length - 1) !== 47) {
        while (cells.length < column) cells.push(null);
        cells[column] = this.#value(head, inside.slice(tagEnd + 1, next < 0 ? inside.length : next));
      }
      column++;
      at = next;
    }
    this.#carryMerges(number, cells);
    if (cells.some((cell) => cell !== null && cell !== '')) this.done = !this.#onRow(number, cells);
  }

  #value(head: string, body: string): Cell {
    const type = attribute(head, 't');
    if (type === 'inlineStr') return richText(body);
    const raw = between(body, `<${this.#prefix ?? ''}v`);
    // Programs that write formulas without computing them leave their values empty: that is not a zero.
    if (raw === undefined || (type !== 'str' && raw.trim() === '')) {
      const formula = between(body, `<${this.#prefix ?? ''}f`);
      return formula ? `=${unescapeXml(formula)}` : null;
    }
    if (type === 's') return this.#parts.strings[Number(raw)] ?? null;
    if (type === 'b') return raw === '1' || raw === 'true';
    if (type === 'd') return raw.length > 10 ? raw.replace('T', ' ').replace(/(?:\.\d+)?Z?$/, '') : raw;
    if (type !== undefined && type !== 'n') return cellText(raw);
    const number = Number(raw);
    if (Number.isNaN(number)) return unescapeXml(raw);
    const style = attribute(head, 's');
    const format = style === undefined ? undefined : this.#parts.timeStyles[Number(style)];
    return excelTime(number, format, this.#parts.uses1904);
  }

  // A name written once for the rows it spans belongs to each of them. A number does not: a sum would count it again.
  #carryMerges(number: number, cells: Cell[]): void {
    if (this.#open.length > 0) this.#open = this.#open.filter(({ merge }) => merge.to >= number);
    for (const { merge, value } of this.#open) {
      while (cells.length <= merge.column) cells.push(null);
      if (cells[merge.column] === null || cells[merge.column] === '') cells[merge.column] = value;
    }
    while ((this.#merges.at(-1)?.from ?? Number.POSITIVE_INFINITY) <= number) {
      const merge = this.#merges.pop()!;
      const value = cells[merge.column];
      if (merge.from === number && typeof value === 'string') this.#open.push({ merge, value });
    }
  }
}

/** Text of a shared or inline string: its runs joined, reading aids (`rPh`) left out. */
export function richText(xml: string): string {
  const plain = xml.includes('rPh') ? xml.replace(/<(?:[\w-]+:)?rPh\b[\s\S]*?<\/(?:[\w-]+:)?rPh>/g, '') : xml;
  let text = '';
  for (const match of plain.matchAll(/<(?:[\w-]+:)?t(?:\s[^>]*)?>([^<]*)</g)) text += match[1];
  return cellText(text);
}

/** Signs that XML cannot hold stand as `_x000D_` in the texts of a workbook. */
const cellText = (xml: string): string =>
  unescapeXml(xml).replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** `BC12` → 54, counted from zero. */
export function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length; at++) {
    const code = place.charCodeAt(at) & ~32;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
}

function attribute(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}="`);
  if (at < 0) return undefined;
  const from = at + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from));
}

function between(body: string, open: string): string | undefined {
  const at = tagAt(body, open, 0);
  if (at < 0) return undefined;
  const from = body.indexOf('>', at) + 1;
  if (from === 0 || body.charCodeAt(from - 2) === 47) return undefined;
  const end = body.indexOf('<', from);
  return end < 0 ? undefined : body.slice(from, end);
}

/** Where the next tag of that very name begins: `<c` begins `<color>` too. */
function tagAt(xml: string, open: string, from: number): number {
  for (let at = xml.indexOf(open, from); at >= 0; at = xml.indexOf(open, at + open.length)) {
    const after = xml.charCodeAt(at + open.length);
    if (after === 62 || after === 47 || after <= 32) return at;
  }
  return -1;
}
