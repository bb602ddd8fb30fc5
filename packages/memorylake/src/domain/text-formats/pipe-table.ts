import type { DocumentTable } from '../document.ts';

const RULE = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$/;

/** The line below the names of a table of Markdown: `| --- | :-: |`. */
export const isTableRule = (line: string): boolean => RULE.test(line) && /--|:-|-:/.test(line);

/** A table from its names on, without the rule below them; a bar that is escaped or code belongs to its cell. */
export function pipeTable(lines: readonly string[]): DocumentTable {
  const end = lines.findIndex((line) => !line.includes('|'));
  const rows = (end < 0 ? lines : lines.slice(0, end))
    .filter((_, at) => at !== 1)
    .map((line) => ({
      cells: line
        .trim()
        .replace(/^\||(?<!\\)\|$/g, '')
        .split(/(?<!\\)\|/)
        .map((cell) => cell.replaceAll('\\|', '|').trim() || null),
    }));
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const padded = rows.map(({ cells }) => ({ cells: Array.from({ length: width }, (_, at) => cells[at] ?? null) }));
  return { headerRows: 1, rows: padded };
}
