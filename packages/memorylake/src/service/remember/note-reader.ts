import { readFile } from 'node:fs/promises';
import { tokeniseForIndex } from '@atoll-mcp/storage/search';
import type { FileReader, ReadChunk } from '../../backends/interface.ts';
import { FileChunker } from '../../domain/chunk-file.ts';
import { clip } from '../../domain/summarise.ts';

const SUMMARY = 300;

/** Reads notes as plain text in this process; passes files on to the reader. */
export function withNotes(reader: FileReader): FileReader {
  return {
    async read(file, options) {
      if (!file.isNote) return reader.read(file, options);
      const text = await readFile(file.path, 'utf8');
      const chunks: ReadChunk[] = [];
      const chunker = new FileChunker((chunk) => chunks.push({ ...chunk, terms: tokeniseForIndex(chunk.text) }), {
        maxRows: 0,
      });
      for (const [at, line] of text.split('\n').entries()) chunker.text({ text: line, line: at + 1 });
      const facts = chunker.end();
      await options.onChunks(chunks);
      return { ok: true, format: 'txt', facts, summary: clip(text, SUMMARY) };
    },
    rows: (...call) => reader.rows(...call),
    table: (...call) => reader.table(...call),
    draw: (...call) => reader.draw(...call),
    parts: (...call) => reader.parts(...call),
    close: () => reader.close(),
  };
}
