import { tryParseJson } from '@atoll-mcp/core';
import type { DocumentTable, ReadSink } from '../../domain/document.ts';
import { jsonLinesOf, recordTable } from '../../domain/text-formats/json-records.ts';
import { isTableRule, pipeTable } from '../../domain/text-formats/pipe-table.ts';

/** Reads plain text: a block for each paragraph, with the line it begins at. */
export function readText(text: string, sink: ReadSink): void {
  for (const { lines, at } of paragraphs(text)) sink.text({ text: lines.join('\n'), line: at });
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** Reads Markdown: headings give the passages below them their context. */
export function readMarkdown(text: string, sink: ReadSink): void {
  let fenced = false;
  const tables: DocumentTable[] = [];
  for (const { lines, at } of paragraphs(text)) {
    let from = 0;
    const flush = (to: number) => {
      const part = lines.slice(from, to).join('\n');
      if (part.trim() !== '') sink.text({ text: part, line: at + from });
      from = to;
    };
    lines.forEach((line, index) => {
      if (FENCE.test(line)) fenced = !fenced;
      const heading = fenced ? null : HEADING.exec(line);
      if (heading) {
        flush(index);
        const title = heading[2]!;
        if (heading[1]!.length === 1) sink.title(title);
        sink.text({ text: title, line: at + index, heading: heading[1]!.length });
        from = index + 1;
      } else if (!fenced && index > 0 && isTableRule(line)) tables.push(pipeTable(lines.slice(index - 1)));
    });
    flush(lines.length);
    for (const table of tables.splice(0)) sink.table(table);
  }
  sink.figures(text.match(/!\[[^\]]*\]\([^)]+\)|<img\b/gi)?.length ?? 0);
}

/** Reads JSON as text people can cite lines of, and records as a table; data on one line is laid out first. */
export function readJson(text: string, sink: ReadSink): void {
  const lines = text.split('\n').length;
  const records = jsonLinesOf(text);
  // Undefined for JSON Lines with a broken line, or with more than a table takes: their text can still be found.
  const data: unknown = records ?? tryParseJson(text);
  const isLong = records === undefined && data !== undefined && text.length / lines > 400;
  const laidOut = isLong ? layOut(data, text) : text;
  let line = 1;
  for (const part of laidOut.split('\n')) {
    if (part.trim() !== '') sink.text({ text: withLetters(part.trimEnd()), line });
    line++;
  }
  const table = recordTable(data) ?? listsIn(data);
  if (table) sink.table(table);
}

function layOut(data: unknown, text: string): string {
  try {
    return JSON.stringify(data, null, 2);
  } catch {
    // Nested too deep, or longer than a text may be.
    return text;
  }
}

/** Letters that are written as escapes are not found by search otherwise: `K\\u00f6ln`. */
const withLetters = (line: string): string =>
  line.replace(/(?<!\\)((?:\\\\)*)\\u([0-9a-f]{4})/gi, (escaped, before: string, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code < 0xa0 ? escaped : before + String.fromCharCode(code);
  });

/** Most answers of programs have their records in one field: `{"count": 2, "items": [ … ]}`. */
function listsIn(data: unknown): DocumentTable | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const tables = Object.entries(data).flatMap(([name, value]) => {
    const table = recordTable(value);
    return table ? [{ ...table, caption: name }] : [];
  });
  return tables.length === 1 ? tables[0] : undefined;
}

function* paragraphs(text: string): Generator<{ lines: string[]; at: number }> {
  let lines: string[] = [];
  let at = 1;
  let number = 0;
  for (const line of text.split(/\r\n|\n|\r/)) {
    number++;
    if (line.trim() !== '') {
      if (lines.length === 0) at = number;
      lines.push(line);
    } else if (lines.length > 0) {
      yield { lines, at };
      lines = [];
    }
  }
  if (lines.length > 0) yield { lines, at };
}
