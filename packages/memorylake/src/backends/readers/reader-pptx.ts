import { Parser } from 'htmlparser2';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { tagsOf } from '../../domain/text/xml-text.ts';
import { ZipFile } from '../zip.ts';
import { writeChart } from './office-charts.ts';
import { attribute, linksOf, localName, mainPart, type PartLink, shownTarget, titleOf } from './office-parts.ts';

/** Reads a presentation slide by slide: titles as headings, tables and charts as tables, notes and comments beside. */
export async function readPptx(path: string, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const zip = new ZipFile(path, limits);
  try {
    const main = mainPart(zip, 'ppt/presentation.xml');
    const presentation = zip.text(main);
    if (presentation === undefined) throw new UnreadableFile('It is broken: the list of its slides is missing');
    const title = titleOf(zip);
    if (title) sink.title(title);
    const links = linksOf(zip, main);
    const slides = tagsOf(presentation, 'sldId').flatMap((slide) => {
      const id = Object.entries(slide).find(([key]) => key.endsWith(':id'))?.[1];
      const part = links.get(id ?? '')?.target;
      return part !== undefined && zip.has(part) ? [part] : [];
    });
    if (slides.length > limits.maxPages) {
      throw new UnreadableFile(`It has ${slides.length} slides; at most ${limits.maxPages} are read`);
    }
    const writer = new DocumentWriter(sink);
    const repeated: Repeated = { footers: new Set(), authors: authorsOf(zip) };
    for (const [at, part] of slides.entries()) readSlide(zip, part, at + 1, writer, repeated);
    sink.figures(zip.names.filter((name) => /^ppt\/media\/[^/]+$/.test(name)).length);
  } finally {
    zip.close();
  }
}

/** What slides share. */
interface Repeated {
  readonly footers: Set<string>;
  /** Who comments, by the id of an author. */
  readonly authors: ReadonlyMap<string, string>;
}

function authorsOf(zip: ZipFile): Map<string, string> {
  const lists = ['ppt/commentAuthors.xml', 'ppt/authors.xml'].map((name) => zip.text(name) ?? '');
  const authors = lists.flatMap((xml) => [...tagsOf(xml, 'cmAuthor'), ...tagsOf(xml, 'author')]);
  return new Map(authors.flatMap(({ id, name }) => (id && name ? [[id, name] as const] : [])));
}

function readSlide(zip: ZipFile, part: string, slide: number, writer: DocumentWriter, repeated: Repeated): void {
  const links = linksOf(zip, part);
  writer.place = { slide };
  walk(zip.text(part) ?? '', links, writer, repeated);
  for (const { type, target } of links.values()) {
    if (type === 'chart') writeChart(zip.text(target) ?? '', writer);
    else if (type === 'diagramData') walk(zip.text(target) ?? '', new Map(), writer, repeated);
    else if (type === 'notesSlide' || type === 'comments') {
      writer.place = { slide, part: type === 'comments' ? 'comments' : 'speaker notes' };
      walk(zip.text(target) ?? '', linksOf(zip, target), writer, repeated);
      writer.place = { slide };
    }
  }
}

/** What stands on a slide only to say where it is. */
const UNREAD = new Set(['sldNum', 'sldImg', 'hdr']);
const REPEATED = new Set(['dt', 'ftr']);

function walk(
  xml: string,
  links: ReadonlyMap<string, PartLink>,
  writer: DocumentWriter,
  { footers, authors }: Repeated,
): void {
  let placeholder = '';
  let text = '';
  let inText = false;
  let fallback = 0;
  let link: { start: number; target: string } | undefined;
  const endLink = () => {
    if (link) text += shownTarget(text.slice(link.start), link.target);
    link = undefined;
  };
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (name === 'Fallback') fallback++;
        if (fallback > 0) return;
        if (name === 'sp' || name === 'pic' || name === 'graphicFrame') placeholder = '';
        else if (name === 'ph') placeholder = attribute(attributes, 'type') ?? 'body';
        else if (name === 't' || (name === 'text' && qualified.startsWith('p'))) inText = true;
        else if (name === 'br') text += '\n';
        else if (name === 'tab') text += ' ';
        else if (name === 'hlinkClick') {
          const target = links.get(attribute(attributes, 'id') ?? '');
          if (target?.isExternal && !link) link = { start: text.length, target: target.target };
        } else if (name === 'tbl') {
          writer.openTable();
        } else if (name === 'tr') writer.openRow();
        else if (name === 'tc') {
          const columns = Number(attribute(attributes, 'gridSpan') ?? 1);
          const isCovered = attribute(attributes, 'hMerge') === '1';
          if (!isCovered) writer.openCell({ columns });
          if (attribute(attributes, 'vMerge') === '1') writer.continueAbove();
        } else if (name === 'cm' || name === 'reply') {
          const author = authors.get(attributes.authorId ?? '');
          const date = (attributes.dt ?? attributes.created ?? '').slice(0, 10);
          if (author !== undefined) writer.paragraph(`${[author, date].filter((told) => told !== '').join(', ')}:`);
        } else if (name === 'cNvPr') {
          const words = attribute(attributes, 'descr') ?? '';
          if (/\S\s+\S/.test(words)) writer.paragraph(words);
        }
      },
      ontext(data) {
        if (inText && fallback === 0) text += data;
      },
      onclosetag(qualified) {
        const name = localName(qualified);
        if (name === 'Fallback') fallback--;
        if (fallback > 0) return;
        if (name === 't') inText = false;
        else if (name === 'text' && qualified.startsWith('p')) {
          inText = false;
          endParagraph();
        } else if (name === 'r' || name === 'fld') endLink();
        else if (name === 'p') endParagraph();
        else if (name === 'tbl') writer.closeTable();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  writer.end();

  function endParagraph(): void {
    endLink();
    const words = text.trim();
    text = '';
    if (UNREAD.has(placeholder)) return;
    if (REPEATED.has(placeholder)) {
      if (footers.has(words)) return;
      footers.add(words);
    }
    const isTitle = placeholder === 'title' || placeholder === 'ctrTitle';
    writer.paragraph(words, isTitle && !writer.place.part ? { heading: 1 } : {});
  }
}
