import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectFormat, readFile } from '../../src/backends/readers/read-file.ts';
import { type DocumentTable, defaultLimits, type ReadLimits, type TextBlock } from '../../src/domain/document.ts';

export interface ReadHere {
  readonly format: string;
  readonly title: string | undefined;
  readonly blocks: readonly TextBlock[];
  readonly tables: readonly DocumentTable[];
  readonly rows: readonly (readonly unknown[])[];
  readonly sheets: readonly string[];
  readonly text: string;
}

/** Reads a file with its reader alone, in this process: what the reader gives, before it is cut into chunks. */
export async function readHere(
  name: string,
  content: Buffer | string,
  limits: ReadLimits = defaultLimits,
): Promise<ReadHere> {
  const folder = mkdtempSync(join(tmpdir(), 'memorylake-read-'));
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const blocks: TextBlock[] = [];
  const tables: DocumentTable[] = [];
  const rows: (readonly unknown[])[] = [];
  const sheets: string[] = [];
  let title: string | undefined;
  try {
    const file = { path, name };
    const format = detectFormat(file, limits);
    const sink = {
      text: (block: TextBlock) => void blocks.push(block),
      table: (table: DocumentTable) => void tables.push(table),
      sheet: (sheet: string) => void sheets.push(sheet),
      row: (_: number, cells: readonly unknown[]) => rows.push(cells) > 0,
      tables: () => {},
      figures: () => {},
      unread: () => {},
      title: (text: string) => {
        title ??= text === '' ? undefined : text;
      },
    };
    await readFile(file, format, sink, limits);
    return { format, title, blocks, tables, rows, sheets, text: blocks.map(({ text }) => text).join('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reason a file is refused by. */
export const refusal = (name: string, content: Buffer | string): Promise<string> =>
  readHere(name, content).then(
    ({ format }) => `read as ${format}`,
    (error: Error) => error.message,
  );
