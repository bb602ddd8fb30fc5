import { Parser } from 'htmlparser2';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../domain/document.ts';
import { ZipFile } from './zip.ts';

/** Reads a Word document: a line for each paragraph, and for each row of a table. */
export async function readDocx(path: string, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const zip = new ZipFile(path, limits);
  try {
    if (!zip.names.includes('word/document.xml')) throw new UnreadableFile('It is broken: its text is missing');
    const title = /<dc:title>([^<]*)</.exec(zip.text('docProps/core.xml') ?? '')?.[1];
    if (title) sink.title(title);
    const walk = walker(sink);
    for await (const piece of zip.pieces('word/document.xml')) walk.write(piece);
    walk.end();
  } finally {
    zip.close();
  }
}

function walker(sink: ReadSink): Parser {
  let text = '';
  let line = 0;
  let heading: number | undefined;
  let tableDepth = 0;
  let inText = false;

  const flush = () => {
    const clean = text.replace(/[ \t]+/g, ' ').replace(/^[\s|]+|[\s|]+$/g, '');
    if (clean !== '') sink.text({ text: clean, line: ++line, ...(heading === undefined ? {} : { heading }) });
    text = '';
    heading = undefined;
  };

  return new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'w:t') inText = true;
        else if (name === 'w:tab') text += ' ';
        else if (name === 'w:br' || name === 'w:cr') text += '\n';
        else if (name === 'w:pStyle') heading = headingDepth(attributes['w:val']);
        else if (name === 'w:tbl' && tableDepth++ === 0) sink.tables(1);
        else if (name === 'w:drawing' || name === 'w:pict') sink.figures(1);
      },
      ontext(data) {
        if (inText) text += data;
      },
      onclosetag(name) {
        if (name === 'w:t') inText = false;
        else if (name === 'w:p' && tableDepth > 0) text += ' ';
        else if (name === 'w:p') flush();
        else if (name === 'w:tc') text += ' | ';
        else if (name === 'w:tr') flush();
        else if (name === 'w:tbl') tableDepth--;
      },
    },
    { xmlMode: true },
  );
}

function headingDepth(style: string | undefined): number | undefined {
  if (style === undefined) return undefined;
  if (/^title$/i.test(style)) return 1;
  const depth = /^(?:heading|berschrift|titre|标题)?\s*([1-6])$/i.exec(style)?.[1];
  return depth === undefined ? undefined : Number(depth);
}
