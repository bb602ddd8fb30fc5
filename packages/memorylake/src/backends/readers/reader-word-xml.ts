import type { ReadSink } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { ListNumbers } from '../../domain/text/list-numbers.ts';
import { unescapeXml } from '../../domain/text/xml-text.ts';
import { listsOf, stylesOf } from './reader-docx.ts';
import { wordWalker } from './word-walker.ts';

const BESIDE = /^\/word\/(header|footer|footnotes|endnotes|comments)\d*\.xml$/;
const PART = /<pkg:part\b[^>]*?pkg:name="([^"]*)"[^>]*>\s*<pkg:xmlData\b[^>]*>([\s\S]*?)<\/pkg:xmlData>/g;
const HEADERS = /<w:(hdr|ftr)\b[^>]*>([\s\S]*?)<\/w:\1>/g;

/** Reads a Word document that was saved as one XML file, by Word 2003 or as the parts of a .docx. */
export function readWordXml(xml: string, sink: ReadSink): void {
  const title = /<(?:o:Title|dc:title)>([^<]*)</.exec(xml)?.[1];
  if (title) sink.title(unescapeXml(title));
  const parts = new Map([...xml.matchAll(PART)].map(([, name, inside]) => [name!, inside!] as const));
  const document = parts.get('/word/document.xml');
  const writer = new DocumentWriter(sink);
  const shared = {
    styles: stylesOf(parts.get('/word/styles.xml') ?? (document === undefined ? xml : '')),
    numbers: new ListNumbers(listsOf(parts.get('/word/numbering.xml') ?? '')),
    links: new Map<string, never>(),
    onFigure: () => sink.figures(1),
  };
  const walk = (markup: string, part?: string) => {
    writer.place = part === undefined ? {} : { part };
    const walker = wordWalker(writer, shared);
    walker.write(markup);
    walker.end();
    writer.end();
  };
  if (document !== undefined) {
    walk(document);
    for (const [name, inside] of parts) {
      const part = BESIDE.exec(name)?.[1];
      if (part !== undefined) walk(inside, part);
    }
    return;
  }
  const body = xml.indexOf('<w:body');
  const text = body < 0 ? xml : xml.slice(body);
  walk(text.replace(HEADERS, ''));
  const seen = new Set<string>();
  for (const [, kind, inside] of text.matchAll(HEADERS)) {
    if (seen.has(inside!)) continue;
    seen.add(inside!);
    walk(inside!, kind === 'hdr' ? 'header' : 'footer');
  }
}
