import type { DrawnPage, FileFormat, Place, ReadLimits } from '../domain/document.ts';
import type { SheetRow } from '../domain/tables/sheet-shape.ts';
import type { ExtraColumns, RowRange, TypedTable } from '../domain/tables/table-rows.ts';
import type { FilePart, FileToRead, ReadOutcome } from './interface.ts';
import type { OcrSettings } from './ocr/interface.ts';

export type ReaderTask =
  | {
      readonly kind: 'read';
      readonly file: FileToRead;
      readonly limits: ReadLimits;
      readonly ocr: OcrSettings | undefined;
    }
  | {
      readonly kind: 'rows';
      readonly file: FileToRead;
      readonly limits: ReadLimits;
      readonly format: FileFormat;
      readonly range: RowRange;
    }
  | {
      readonly kind: 'table';
      readonly file: FileToRead;
      readonly limits: ReadLimits;
      readonly format: FileFormat;
      readonly sheet: string;
      readonly extra: ExtraColumns;
    }
  | { readonly kind: 'draw'; readonly file: FileToRead; readonly limits: ReadLimits; readonly page: number }
  | { readonly kind: 'parts'; readonly file: FileToRead; readonly limits: ReadLimits };

/** To the process: a task, or the acknowledgement of a batch. */
export type ToReader = ReaderTask | { readonly kind: 'next' };

/** Terms as one text per chunk: many short strings are slow to copy between processes. */
export interface ChunkOnTheWay {
  readonly text: string;
  readonly place: Place;
  readonly context: string;
  readonly terms: string;
}

export type ReaderAnswer =
  /** Includes the last batch, which is the only one for most files. */
  | { readonly kind: 'read'; readonly outcome: ReadOutcome; readonly chunks: readonly ChunkOnTheWay[] }
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'table'; readonly table: TypedTable }
  | { readonly kind: 'draw'; readonly drawn: DrawnPage }
  | { readonly kind: 'parts' }
  | { readonly kind: 'failed'; readonly reason: string };

/** From the process: a batch, progress of recognition, or the end of a task with the current memory use. */
export type FromReader =
  | { readonly kind: 'chunks'; readonly chunks: readonly ChunkOnTheWay[] }
  | { readonly kind: 'part'; readonly part: FilePart }
  | { readonly kind: 'recognised'; readonly done: number; readonly pages: number }
  | (ReaderAnswer & { readonly residentBytes: number });
