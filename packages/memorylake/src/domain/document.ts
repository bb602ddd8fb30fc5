/** The three kinds of memory that clients tell apart. */
export type MemoryType = 'excel_file' | 'pdf_file' | 'txt_file';

/** What a file turned out to be, judged by its bytes. */
export type FileFormat = 'xlsx' | 'xls' | 'csv' | 'tsv' | 'pdf' | 'docx' | 'html' | 'json' | 'md' | 'txt';

export const typeOfFormat = (format: FileFormat): MemoryType => {
  if (format === 'pdf') return 'pdf_file';
  return format === 'xlsx' || format === 'xls' || format === 'csv' || format === 'tsv' ? 'excel_file' : 'txt_file';
};

/** What the name promises, for a file that turned out to be nothing that can be read. */
export function typeByName(name: string): MemoryType {
  if (/\.pdf$/i.test(name)) return 'pdf_file';
  return /\.(?:xls[xmb]?|csv|tsv|ods)$/i.test(name) ? 'excel_file' : 'txt_file';
}

/** Where a piece of text stands in its file; numbers start at one, ranges include both ends. */
export interface Place {
  readonly page?: number;
  readonly sheet?: string;
  readonly rows?: readonly [number, number];
  readonly lines?: readonly [number, number];
}

/** A value of a sheet. Dates are ISO text: `2024-05-01` or `2024-05-01 13:00:00`. */
export type Cell = string | number | boolean | null;

export interface TextBlock {
  readonly text: string;
  readonly line: number;
  readonly page?: number;
  /** Set on a heading: its depth, 1 being the highest. */
  readonly heading?: number;
}

/** Receives a file piece by piece. Readers know nothing of what becomes of it. */
export interface ReadSink {
  text(block: TextBlock): void;
  sheet(name: string): void;
  /** A row of the sheet begun last. Returning `false` asks for no further rows of it. */
  row(number: number, cells: readonly Cell[]): boolean;
  /** Tables and figures that the file declares beside its sheets. */
  tables(count: number): void;
  figures(count: number): void;
  title(text: string): void;
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
  if (place.sheet !== undefined) parts.push(`sheet ${place.sheet}`);
  if (place.rows) parts.push(span('row', place.rows));
  if (place.lines && place.page === undefined) parts.push(span('line', place.lines));
  return parts.join(', ');
}

function span(word: string, [from, to]: readonly [number, number]): string {
  return from === to ? `${word} ${from}` : `${word}s ${from}–${to}`;
}
