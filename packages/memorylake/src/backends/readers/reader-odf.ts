import { Parser } from 'htmlparser2';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { ZipFile } from '../zip.ts';
import { attribute, localName, shownTarget } from './office-parts.ts';

/** Reads a text document or presentation of OpenDocument: body, notes, comments, headers and footers. */
export async function readOdf(path: string, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const zip = new ZipFile(path, limits);
  try {
    if (!zip.has('content.xml')) throw new UnreadableFile('It is broken: its text is missing');
    if (/<manifest:encryption-data/.test(zip.text('META-INF/manifest.xml') ?? '')) {
      throw new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
    }
    const title = /<dc:title>([^<]*)</.exec(zip.text('meta.xml') ?? '')?.[1];
    if (title) sink.title(title);
    const writer = new DocumentWriter(sink);
    const walker = odfWalker(writer, sink);
    for await (const piece of zip.pieces('content.xml')) walker.write(piece);
    walker.end();
    writer.end();
    const styles = odfWalker(writer, sink, 'styles');
    styles.end(zip.text('styles.xml') ?? '');
    writer.end();
  } finally {
    zip.close();
  }
}

/** The same in one XML file, as `.fodt` and `.fodp`. */
export function readFlatOdf(xml: string, sink: ReadSink): void {
  const writer = new DocumentWriter(sink);
  odfWalker(writer, sink).end(xml);
  writer.end();
}

interface OpenText {
  text: string;
  heading: number | undefined;
}

/** Text that is not part of the document: what was deleted, and names of index sources. */
const SKIPPED = new Set([
  'tracked-changes',
  'index-source',
  'sequence-decls',
  'event-listeners',
  'note-citation',
  'creator',
  'date',
]);
/** Elements that stand beside the text: their words belong to a part of their own. */
const BESIDE: ReadonlyMap<string, string> = new Map([
  ['note', 'footnotes'],
  ['annotation', 'comments'],
  ['notes', 'speaker notes'],
  ['header', 'header'],
  ['footer', 'footer'],
]);

function odfWalker(writer: DocumentWriter, sink: ReadSink, file: 'content' | 'styles' = 'content'): Parser {
  const texts: OpenText[] = [];
  const parts: string[] = [];
  const links: { start: number; target: string | undefined }[] = [];
  const frames: boolean[] = [];
  const seen = new Set<string>();
  let skipped = 0;
  let slide = 0;
  let inMaster = false;
  const place = () => {
    const part = parts.at(-1);
    writer.place = { ...(slide > 0 && { slide }), ...(part !== undefined && { part }) };
  };
  const isRead = () => skipped === 0 && (file === 'content' || (inMaster && parts.length > 0));

  return new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (SKIPPED.has(name)) skipped++;
        if (skipped > 0) return;
        if (name === 'master-styles') inMaster = true;
        const part = BESIDE.get(name);
        if (part !== undefined && (file === 'content' || qualified.startsWith('style:'))) {
          parts.push(part);
          place();
        }
        if (!isRead()) return;
        if (name === 'page' && qualified.startsWith('draw:')) {
          slide++;
          place();
        } else if (name === 'frame') {
          frames.push(attribute(attributes, 'class') === 'title');
        } else if (name === 'p' || name === 'h') {
          const level =
            name === 'h' ? Number(attribute(attributes, 'outline-level') ?? 1) : frames.at(-1) ? 1 : undefined;
          texts.push({ text: '', heading: parts.length === 0 ? level && Math.min(6, level) : undefined });
        } else if (name === 's') write(' '.repeat(Math.min(100, Number(attribute(attributes, 'c') ?? 1))));
        else if (name === 'tab') write(' ');
        else if (name === 'line-break') write('\n');
        else if (name === 'image') sink.figures(1);
        else if (name === 'a')
          links.push({ start: texts.at(-1)?.text.length ?? 0, target: attribute(attributes, 'href') });
        else if (name === 'table' && qualified.startsWith('table:')) writer.openTable();
        else if (name === 'table-row') writer.openRow();
        else if (name === 'table-cell') {
          const times = Math.min(100, Number(attribute(attributes, 'number-columns-repeated') ?? 1));
          for (let n = 0; n < times; n++) {
            writer.openCell({
              columns: Number(attribute(attributes, 'number-columns-spanned') ?? 1),
              rows: Number(attribute(attributes, 'number-rows-spanned') ?? 1),
            });
          }
        }
      },
      ontext(data) {
        if (isRead()) write(data.replace(/\s+/g, ' '));
      },
      onclosetag(qualified) {
        const name = localName(qualified);
        if (SKIPPED.has(name)) {
          skipped = Math.max(0, skipped - 1);
          return;
        }
        if (skipped > 0) return;
        if (isRead()) {
          if (name === 'p' || name === 'h') endText();
          else if (name === 'frame') frames.pop();
          else if (name === 'a') {
            const link = links.pop();
            const open = texts.at(-1);
            if (open && link) open.text += shownTarget(open.text.slice(link.start), link.target);
          } else if (name === 'table' && qualified.startsWith('table:')) writer.closeTable();
          else if (name === 'table-header-rows') writer.headerEnds();
        }
        if (BESIDE.has(name) && (file === 'content' || qualified.startsWith('style:'))) {
          parts.pop();
          place();
        }
      },
    },
    { xmlMode: true },
  );

  function write(text: string): void {
    const open = texts.at(-1);
    if (open) open.text += text;
  }

  function endText(): void {
    const open = texts.pop();
    if (!open) return;
    // Master pages repeat their headers.
    if (file === 'styles') {
      if (seen.has(open.text)) return;
      seen.add(open.text);
    }
    writer.paragraph(open.text, { heading: open.heading });
  }
}
