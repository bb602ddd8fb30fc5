import { type ColumnInfo, infoOf, typeTable } from './columns/column-types.ts';
import type { Cell, DocumentTable, Place, ReadSink, TextBlock } from './document.ts';
import { UnreadableFile } from './document.ts';
import { RowChunker, type SheetFacts } from './tables/chunk-rows.ts';
import { DocumentTables, type NamedTable, shapeOfTable, widthOf } from './tables/document-tables.ts';
import { namesFor } from './tables/sheet-shape.ts';
import { lowerTableName, SheetSplitter } from './tables/split-sheet.ts';
import { type Chunk, TextChunker } from './text/chunk-text.ts';

/** What is known of a table inside a document. */
interface TableFacts {
  readonly name: string;
  readonly place: Place;
  readonly rows: number;
  readonly columns: readonly (ColumnInfo & { readonly name: string })[];
}

/** What is known of a file besides its chunks. */
export interface FileFacts {
  readonly title: string | undefined;
  readonly headings: readonly string[];
  readonly sheets: readonly SheetFacts[];
  readonly documentTables: readonly TableFacts[];
  readonly pages: number;
  readonly lines: number;
  readonly tables: number;
  readonly figures: number;
  readonly chunks: number;
  /** Of chats. */
  readonly chat?: ChatFacts;
  /** Pages that are pictures and could not be read, and why. */
  readonly unread?: { readonly pages: readonly number[]; readonly reason: string };
  /** What an answer from the file may miss besides, as sentences without their points. */
  readonly notices?: readonly string[];
}

/** Who talks in a chat, and from when to when. */
export interface ChatFacts {
  readonly speakers: readonly string[];
  readonly times: readonly string[];
}

const SPEAKERS_KEPT = 40;
const HEADINGS_KEPT = 40;

/** Turns what a reader finds into chunks and facts, in one pass. */
export class FileChunker implements ReadSink {
  readonly #emit: (chunk: Chunk) => void;
  readonly #prose: TextChunker;
  #current: OpenSheet | undefined;
  #rows = 0;
  readonly #maxRows: number;
  #titleText: string | undefined;
  readonly #headings: string[] = [];
  readonly #sheets: SheetFacts[] = [];
  readonly #lowerTables: TableFacts[] = [];
  #pages = 0;
  #lines = 0;
  readonly #documents = new DocumentTables();
  #declaredTables = 0;
  #figureCount = 0;
  #chunks = 0;
  #chat: ChatFacts | undefined;
  #unreadPages: Pick<FileFacts, 'unread'> = {};

  constructor(emit: (chunk: Chunk) => void, limits: { maxRows: number }) {
    this.#maxRows = limits.maxRows;
    this.#emit = (chunk) => {
      this.#chunks++;
      emit(chunk);
    };
    this.#prose = new TextChunker(this.#emit);
  }

  text(block: TextBlock): void {
    if (block.heading !== undefined && this.#headings.length < HEADINGS_KEPT)
      this.#headings.push(block.text.slice(0, 120));
    if (block.page !== undefined && block.page > this.#pages) this.#pages = block.page;
    this.#lines = block.line;
    if (block.turn !== undefined) this.#noteSpeaker(block);
    this.#prose.add(block);
  }

  sheet(name: string): void {
    this.#endSheet();
    const splitter = new SheetSplitter(({ number, cells }, table) => {
      while (this.#current && this.#current.table < table) this.#nextTable(this.#current);
      this.#current?.rows.add(number, cells);
    });
    this.#current = { name, splitter, table: 0, rows: new RowChunker(name, this.#emit) };
  }

  row(number: number, cells: readonly Cell[]): boolean {
    if (++this.#rows > this.#maxRows) {
      throw new UnreadableFile(
        `It has more than ${this.#maxRows.toLocaleString('en-US')} rows, the most that are read`,
      );
    }
    this.#current?.splitter.push({ number, cells });
    return true;
  }

  table(table: DocumentTable): void {
    this.#documents.add(table);
  }

  tables(count: number): void {
    this.#declaredTables += count;
  }

  figures(count: number): void {
    this.#figureCount += count;
  }

  title(text: string): void {
    if (text.trim() !== '') this.#titleText ??= text.replace(/\s+/g, ' ').trim().slice(0, 200);
  }

  unread(pages: readonly number[], reason: string): void {
    this.#unreadPages = { unread: { pages, reason } };
  }

  end(): FileFacts {
    this.#endSheet();
    this.#prose.flush();
    const documentTables = [...this.#lowerTables, ...this.#documents.all().map(factsOf)];
    return {
      title: this.#titleText,
      headings: this.#headings,
      sheets: this.#sheets,
      documentTables,
      pages: this.#pages,
      lines: this.#lines,
      tables: Math.max(this.#declaredTables + documentTables.length, this.#sheets.length + this.#lowerTables.length),
      figures: this.#figureCount,
      chunks: this.#chunks,
      ...(this.#chat && { chat: this.#chat }),
      ...this.#unreadPages,
    };
  }

  #noteSpeaker({ speaker, time }: TextBlock): void {
    const { speakers, times } = this.#chat ?? { speakers: [], times: [] };
    const isNew = speaker !== undefined && speakers.length < SPEAKERS_KEPT && !speakers.includes(speaker);
    this.#chat = {
      speakers: isNew ? [...speakers, speaker] : speakers,
      times: time === undefined ? times : [times[0] ?? time, time],
    };
  }

  #endSheet(): void {
    this.#current?.splitter.end();
    if (this.#current) this.#endTable(this.#current);
    this.#current = undefined;
  }

  #nextTable(sheet: OpenSheet): void {
    this.#endTable(sheet);
    sheet.table++;
    sheet.rows = new RowChunker(sheet.name, this.#emit);
  }

  #endTable({ name, table, rows }: OpenSheet): void {
    const facts = rows.end();
    if (!facts) return;
    if (table === 0) this.#sheets.push(facts);
    else {
      const place = { sheet: name, rows: [facts.firstRow, facts.lastRow] } as const;
      const columns = facts.columns.map(({ holds: _holds, ...column }) => column);
      this.#lowerTables.push({ name: lowerTableName(name, table), place, rows: facts.rows, columns });
    }
  }
}

interface OpenSheet {
  readonly name: string;
  readonly splitter: SheetSplitter;
  /** Which of its tables is being read, from 0. */
  table: number;
  rows: RowChunker;
}

function factsOf(table: NamedTable): TableFacts {
  const shape = shapeOfTable(table);
  const names = namesFor(shape, widthOf(table.rows));
  const data = table.rows.slice(shape.headerRow ?? 0).map(({ cells }) => cells);
  const { plans } = typeTable(names.length, data);
  const columns = names.map((name, at) => ({ name, ...infoOf(plans[at]!) }));
  return { name: table.name, place: table.place, rows: data.length, columns };
}
