/** The three kinds of memory that clients tell apart. */
export type MemoryType = 'excel_file' | 'pdf_file' | 'txt_file';

/** What a file turned out to be, judged by its bytes. */
export type FileFormat =
  | SheetFormat
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'odt'
  | 'rtf'
  | 'pptx'
  | 'ppt'
  | 'odp'
  | 'epub'
  | 'html'
  | TextFormat;
type SheetFormat = 'xlsx' | 'xls' | 'xlsb' | 'ods' | 'numbers' | 'spreadsheetml' | 'slk' | 'csv' | 'tsv';
type TextFormat =
  | 'json'
  | 'notebook'
  | 'xml'
  | 'calendar'
  | 'subtitles'
  | 'md'
  | 'txt'
  | 'chat'
  | 'eml'
  | 'mbox'
  | 'msg'
  | 'image';

const SHEETS: ReadonlySet<FileFormat> = new Set<SheetFormat>([
  'xlsx',
  'xls',
  'xlsb',
  'ods',
  'numbers',
  'spreadsheetml',
  'slk',
  'csv',
  'tsv',
]);

export const typeOfFormat = (format: FileFormat): MemoryType => {
  if (format === 'pdf') return 'pdf_file';
  return SHEETS.has(format) ? 'excel_file' : 'txt_file';
};

/** What the name promises, for a file that turned out to be nothing that can be read. */
export function typeByName(name: string): MemoryType {
  if (/\.pdf$/i.test(name)) return 'pdf_file';
  return /\.(?:xls[xmb]?|csv|tsv|f?ods|numbers)$/i.test(name) ? 'excel_file' : 'txt_file';
}

/** A rectangle on a page in points, or on an image in pixels, from its top left corner: left, top, right, bottom. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number];

/** Where a piece of text stands in its file; numbers start at one, ranges include both ends. */
export interface Place {
  readonly page?: number;
  /** On a page: where its lines stand. */
  readonly boxes?: readonly Box[];
  readonly slide?: number;
  /** A part beside the body, such as `footnotes`, `speaker notes` or `attachment plan.pdf`. */
  readonly part?: string;
  /** Headings above it, the highest first. */
  readonly headings?: readonly string[];
  readonly paragraphs?: readonly [number, number];
  readonly sheet?: string;
  readonly rows?: readonly [number, number];
  readonly lines?: readonly [number, number];
  /** In a chat: which turn, from 1, who said it, and when, as the file has it. */
  readonly turn?: number;
  readonly speaker?: string;
  readonly time?: string;
  /** How sure text recognition is of its least sure line, 0 to 1; absent where the text is the file's own. */
  readonly confidence?: number;
}

/** Recognised text below this is often wrong. */
export const MIN_CONFIDENCE = 0.9;

export const isUnsure = ({ confidence }: Pick<Place, 'confidence'>): boolean =>
  confidence !== undefined && confidence < MIN_CONFIDENCE;

/** A value of a sheet. Dates are ISO text: `2024-05-01` or `2024-05-01 13:00:00`. */
export type Cell = string | number | boolean | null;

export interface TextBlock {
  readonly text: string;
  /** The line it begins at; in formats without lines the number of the block. */
  readonly line: number;
  readonly page?: number;
  /** A box for each line of `text`, when it stands on a page. */
  readonly boxes?: readonly Box[];
  readonly slide?: number;
  readonly part?: string;
  /** Number of the paragraph in formats that have paragraphs and no lines: DOCX, ODT, HTML, EPUB, RTF. */
  readonly paragraph?: number;
  /** Set on a heading: its depth, 1 being the highest. */
  readonly heading?: number;
  /** In a chat: which turn it is, from 1, who said it, and when. */
  readonly turn?: number;
  readonly speaker?: string;
  readonly time?: string;
  /** How sure text recognition is of its least sure line, 0 to 1; absent where the text is the file's own. */
  readonly confidence?: number;
}

export interface TableRow {
  /** As wide as the table; a value that spans cells stands in each of them. */
  readonly cells: readonly Cell[];
  /** Where the row stands, when it stands on a page: tables go on over pages. */
  readonly page?: number;
  readonly box?: Box;
}

/** A table inside a document. Its text comes through `text` too, in reading order; this is the same as rows. */
export interface DocumentTable {
  /** How many of the first rows name the columns; none when it is unknown. */
  readonly headerRows: number;
  readonly rows: readonly TableRow[];
  readonly caption?: string;
  readonly page?: number;
  readonly slide?: number;
  readonly part?: string;
  /** Number of the paragraph that its first row is. */
  readonly paragraph?: number;
}

/** Receives a file piece by piece. Readers know nothing of what becomes of it. */
export interface ReadSink {
  text(block: TextBlock): void;
  sheet(name: string): void;
  /** A row of the sheet begun last. Returning `false` asks for no further rows of it. */
  row(number: number, cells: readonly Cell[]): boolean;
  /** A table of a document, after the text of its last row. */
  table(table: DocumentTable): void;
  /** Tables and figures that the file declares and that come neither as sheets nor by `table`. */
  tables(count: number): void;
  figures(count: number): void;
  title(text: string): void;
  /** Pages that are pictures and could not be read, and why. */
  unread(pages: readonly number[], reason: string): void;
}

/** How much of a file may be read before it is refused. */
export interface ReadLimits {
  readonly maxFileBytes: number;
  readonly maxExpandedBytes: number;
  /** Inflated bytes per stored byte, looked at once an archive part is larger than a mebibyte. */
  readonly maxExpansionRatio: number;
  readonly maxRows: number;
  readonly maxPages: number;
  readonly maxSeconds: number;
  readonly maxHeapMegabytes: number;
}

export const defaultLimits: ReadLimits = {
  maxFileBytes: 256 * 2 ** 20,
  maxExpandedBytes: 1024 * 2 ** 20,
  maxExpansionRatio: 200,
  maxRows: 2_000_000,
  maxPages: 5_000,
  maxSeconds: 300,
  maxHeapMegabytes: 512,
};

/** A file that cannot become a memory. The message is the reason people read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** A place in the words of a citation: `page 3`, `Sales, rows 2–40`, `lines 10–12`. */
export function describePlace(place: Place): string {
  const parts: string[] = [];
  if (place.page !== undefined) parts.push(`page ${place.page}`);
  if (place.slide !== undefined) parts.push(`slide ${place.slide}`);
  if (place.part !== undefined) parts.push(place.part);
  if (place.sheet !== undefined) parts.push(`sheet ${place.sheet}`);
  if (place.rows) parts.push(span('row', place.rows));
  if (place.headings && place.headings.length > 0) parts.push(`under "${place.headings.join(' › ')}"`);
  if (place.paragraphs) parts.push(span('paragraph', place.paragraphs));
  if (place.turn !== undefined)
    parts.push([`turn ${place.turn}`, place.speaker, place.time].filter(Boolean).join(', '));
  if (place.lines && place.page === undefined) parts.push(span('line', place.lines));
  if (isUnsure(place)) parts.push(`recognised with ${Math.round(place.confidence! * 100)} % confidence`);
  return parts.join(', ');
}

function span(word: string, [from, to]: readonly [number, number]): string {
  return from === to ? `${word} ${from}` : `${word}s ${from}–${to}`;
}

/** A page as a PNG file, how large it is in points, and of how many it is one. */
export interface DrawnPage {
  readonly png: Uint8Array;
  readonly pages: number;
  readonly width: number;
  readonly height: number;
}
