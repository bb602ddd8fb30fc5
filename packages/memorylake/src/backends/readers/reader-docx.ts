import { type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { type ListLevel, ListNumbers } from '../../domain/text/list-numbers.ts';
import { attributesOf } from '../../domain/text/xml-text.ts';
import { ZipFile } from '../zip.ts';
import { linksOf, mainPart, titleOf } from './office-parts.ts';
import { type WordParts, type WordStyle, wordWalker } from './word-walker.ts';

/** Parts beside the body, in the order they are read, by the type of their link. */
const BESIDE: readonly (readonly [string, string])[] = [
  ['header', 'header'],
  ['footer', 'footer'],
  ['footnotes', 'footnotes'],
  ['endnotes', 'endnotes'],
  ['comments', 'comments'],
];

/** Reads a Word document: body, headers and footers once, notes and comments, tables as tables. */
export async function readDocx(path: string, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const zip = new ZipFile(path, limits);
  try {
    const main = mainPart(zip, 'word/document.xml');
    if (!zip.has(main)) throw new UnreadableFile('It is broken: its text is missing');
    const title = titleOf(zip);
    if (title) sink.title(title);
    const links = linksOf(zip, main);
    const partOf = (type: string) => [...links.values()].find((link) => link.type === type)?.target ?? '';
    const shared = {
      styles: stylesOf(zip.text(partOf('styles')) ?? ''),
      numbers: new ListNumbers(listsOf(zip.text(partOf('numbering')) ?? '')),
      onFigure: () => sink.figures(1),
    };
    const writer = new DocumentWriter(sink);
    await walk(zip, main, writer, { ...shared, links });
    const seen = new Set<string>();
    for (const [type, part] of BESIDE) {
      for (const link of links.values()) {
        if (link.type !== type || !zip.has(link.target)) continue;
        // Sections repeat their headers in parts of their own.
        const words = (zip.text(link.target) ?? '').replace(/<[^>]*>/g, '');
        if (seen.has(`${part}:${words}`)) continue;
        seen.add(`${part}:${words}`);
        writer.place = { part };
        await walk(zip, link.target, writer, { ...shared, links: linksOf(zip, link.target) });
      }
    }
  } finally {
    zip.close();
  }
}

async function walk(zip: ZipFile, part: string, writer: DocumentWriter, parts: WordParts): Promise<void> {
  const walker = wordWalker(writer, parts);
  for await (const piece of zip.pieces(part)) walker.write(piece);
  walker.end();
  writer.end();
}

const element = (name: string) => new RegExp(`<w:${name}\\b([^>]*)>([\\s\\S]*?)</w:${name}>`, 'g');
const valueIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<w:${name}\\b[^>]*?w:val\\s*=\\s*["']([^"']*)["']`).exec(xml)?.[1];

export function stylesOf(xml: string): Map<string, WordStyle> {
  const own = new Map<string, WordStyle & { basedOn?: string | undefined }>();
  for (const [, tag, inside] of xml.matchAll(element('style'))) {
    const id = attributesOf(tag!)['w:styleId'];
    if (id === undefined) continue;
    const listId = valueIn(inside!, 'numId');
    own.set(id, {
      heading: headingDepth(valueIn(inside!, 'name') ?? id, valueIn(inside!, 'outlineLvl')),
      list: listId === undefined ? undefined : { id: listId, level: Number(valueIn(inside!, 'ilvl') ?? 0) },
      basedOn: valueIn(inside!, 'basedOn'),
    });
  }
  const styles = new Map<string, WordStyle>();
  for (const [id, style] of own) {
    let { heading, list } = style;
    let base = style.basedOn;
    for (let depth = 0; base !== undefined && depth < 10; depth++) {
      heading ??= own.get(base)?.heading;
      list ??= own.get(base)?.list;
      base = own.get(base)?.basedOn;
    }
    styles.set(id, { heading, list });
  }
  for (const id of ['Title', 'Heading1', 'Heading2', 'Heading3', 'Heading4', 'Heading5', 'Heading6']) {
    if (!styles.has(id)) styles.set(id, { heading: headingDepth(id, undefined) });
  }
  return styles;
}

function headingDepth(name: string, outline: string | undefined): number | undefined {
  if (/^title$/i.test(name)) return 1;
  const depth = /^(?:heading|berschrift|überschrift|titre|标题)\s*([1-6])$/i.exec(name)?.[1];
  if (depth !== undefined) return Number(depth);
  const level = outline === undefined ? Number.NaN : Number(outline);
  return level >= 0 && level < 6 ? level + 1 : undefined;
}

export function listsOf(xml: string): Map<string, { key: string; levels: ListLevel[] }> {
  const kinds = new Map<string, ListLevel[]>();
  for (const [, tag, inside] of xml.matchAll(element('abstractNum'))) {
    const levels: ListLevel[] = [];
    for (const [, level, body] of inside!.matchAll(element('lvl'))) {
      levels[Number(attributesOf(level!)['w:ilvl'])] = {
        format: valueIn(body!, 'numFmt') ?? 'decimal',
        pattern: valueIn(body!, 'lvlText') ?? '',
        start: Number(valueIn(body!, 'start') ?? 1),
      };
    }
    kinds.set(attributesOf(tag!)['w:abstractNumId'] ?? '', levels);
  }
  const lists = new Map<string, { key: string; levels: ListLevel[] }>();
  for (const [, tag, inside] of xml.matchAll(element('num'))) {
    const id = attributesOf(tag!)['w:numId'] ?? '';
    const kind = valueIn(inside!, 'abstractNumId') ?? '';
    // A list with numbers of its own starts again; the others share the count of their kind.
    const restarts = inside!.includes('<w:startOverride');
    lists.set(id, { key: restarts ? `${kind}/${id}` : kind, levels: kinds.get(kind) ?? [] });
  }
  return lists;
}
