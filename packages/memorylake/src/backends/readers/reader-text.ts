import type { ReadSink } from '../../domain/document.ts';

/** Reads plain text: a block for each paragraph, with the line it begins at. */
export function readText(text: string, sink: ReadSink): void {
  for (const { lines, at } of paragraphs(text)) sink.text({ text: lines.join('\n'), line: at });
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** Reads Markdown: headings give the passages below them their context. */
export function readMarkdown(text: string, sink: ReadSink): void {
  let fenced = false;
  let tables = 0;
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
      } else if (!fenced && /^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/.test(line) && line.includes('|')) tables++;
    });
    flush(lines.length);
  }
  sink.tables(tables);
  sink.figures(text.match(/!\[[^\]]*\]\([^)]+\)|<img\b/gi)?.length ?? 0);
}

/** Reads JSON as text people can cite lines of; data on one line is laid out first. */
export function readJson(text: string, sink: ReadSink): void {
  const lines = text.split('\n').length;
  const laidOut = text.length / lines > 400 ? JSON.stringify(JSON.parse(text), null, 2) : text;
  let line = 1;
  for (const part of laidOut.split('\n')) {
    if (part.trim() !== '') sink.text({ text: part.trimEnd(), line });
    line++;
  }
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
