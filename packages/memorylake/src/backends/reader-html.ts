import { Parser } from 'htmlparser2';
import type { ReadSink } from '../domain/document.ts';

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg']);
const BLOCKS = new Set(
  'address article aside blockquote body dd div dl dt fieldset figcaption figure footer form header hr li main nav ol p pre section table tbody thead tr ul h1 h2 h3 h4 h5 h6 br'.split(
    ' ',
  ),
);

/** Reads the text of a web page, block by block; a row of a table is one line. */
export function readHtml(html: string, sink: ReadSink): void {
  let text = '';
  let start = 0;
  let unseen = 0;
  let inTitle = false;
  let title = '';
  let heading: number | undefined;
  let tables = 0;
  let figures = 0;
  const lineAt = lineCounter(html);

  const flush = () => {
    const clean = text.replace(/\s+/g, ' ').replace(/^[\s|]+|[\s|]+$/g, '');
    if (clean !== '') {
      if (heading === 1) sink.title(clean);
      sink.text({ text: clean, line: lineAt(start), ...(heading === undefined ? {} : { heading }) });
    }
    text = '';
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (UNSEEN.has(name)) unseen++;
        if (name === 'title') inTitle = true;
        if (name === 'table') tables++;
        if (name === 'img' || name === 'svg' || name === 'canvas' || name === 'video') figures++;
        if (BLOCKS.has(name)) {
          flush();
          heading = /^h[1-6]$/.test(name) ? Number(name[1]) : undefined;
        }
        if (name === 'td' || name === 'th') text += ' | ';
        if (name === 'img' && attributes.alt) text += ` ${attributes.alt} `;
      },
      ontext(data) {
        if (inTitle) title += data;
        else if (unseen === 0) {
          if (text.trim() === '') start = parser.startIndex;
          text += data;
        }
      },
      onclosetag(name) {
        if (UNSEEN.has(name)) unseen--;
        if (name === 'title') inTitle = false;
        if (BLOCKS.has(name)) {
          flush();
          heading = undefined;
        }
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  flush();
  sink.title(title);
  sink.tables(tables);
  sink.figures(figures);
}

/** Line of a position; positions only grow. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let at = 0;
  return (position) => {
    for (; at < position; at++) if (text.charCodeAt(at) === 10) line++;
    return line;
  };
}
