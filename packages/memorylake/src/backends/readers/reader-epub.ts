import { posix } from 'node:path';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { tagsOf, unescapeXml } from '../../domain/text/xml-text.ts';
import { ZipFile } from '../zip.ts';
import { readHtml } from './reader-html.ts';

/** Reads a book: its chapters in their order, each named by its file in the book. */
export async function readEpub(path: string, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const zip = new ZipFile(path, limits);
  try {
    const packageFile = tagsOf(zip.text('META-INF/container.xml') ?? '', 'rootfile')[0]?.['full-path'];
    const contents = packageFile === undefined ? undefined : zip.text(packageFile);
    if (packageFile === undefined || contents === undefined) {
      throw new UnreadableFile('It is broken: the list of its chapters is missing');
    }
    const title = /<dc:title[^>]*>([^<]*)</.exec(contents)?.[1];
    if (title) sink.title(unescapeXml(title));
    const items = new Map(tagsOf(contents, 'item').map((item) => [item.id, item] as const));
    const protectedParts = protectedFiles(zip.text('META-INF/encryption.xml') ?? '');
    const writer = new DocumentWriter(sink);
    writer.place = { part: packageFile };
    for (const line of descriptionOf(contents)) writer.paragraph(line);
    let locked = 0;
    for (const { idref } of tagsOf(contents, 'itemref')) {
      const item = items.get(idref ?? '');
      if (!item?.href || !/html|xml/.test(item['media-type'] ?? '') || /\bnav\b/.test(item.properties ?? '')) continue;
      const part = posix.join(posix.dirname(packageFile), decode(item.href));
      const page = zip.text(part);
      if (page === undefined) continue;
      if (protectedParts.has(part)) {
        locked++;
        continue;
      }
      writer.place = { part };
      readHtml(page, { ...ignoring, ...passing(sink) }, { writer, countsLines: false });
      writer.end();
    }
    if (locked > 0)
      throw new UnreadableFile(`It is protected against copying (DRM): ${locked} of its chapters are encrypted`);
  } finally {
    zip.close();
  }
}

/** What a book says of itself, as its first text. */
const DESCRIBED = [
  ['Title', 'title'],
  ['Authors', 'creator'],
  ['Publisher', 'publisher'],
  ['Date', 'date'],
  ['Language', 'language'],
  ['Subject', 'subject'],
  ['Description', 'description'],
] as const;

function descriptionOf(contents: string): string[] {
  const lines = DESCRIBED.flatMap(([label, name]) => {
    const found = [...contents.matchAll(new RegExp(`<dc:${name}(?:\\s[^>]*)?>([^<]*)<`, 'g'))];
    // A description may be HTML within XML.
    const texts = found.map(([, text]) =>
      unescapeXml(text!)
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    const told = texts.filter((text) => text !== '').join(', ');
    return told === '' ? [] : [`${label}: ${told}`];
  });
  return lines.length > 1 ? lines : [];
}

const ignoring = { sheet: () => {}, row: () => false, title: () => {}, unread: () => {} } as const;

const passing = (sink: ReadSink): Omit<ReadSink, keyof typeof ignoring> => ({
  text: (block) => sink.text(block),
  table: (table) => sink.table(table),
  tables: (count) => sink.tables(count),
  figures: (count) => sink.figures(count),
});

const protectedFiles = (xml: string): Set<string> =>
  new Set(tagsOf(xml, 'CipherReference').flatMap(({ URI }) => (URI === undefined ? [] : [decode(URI)])));

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
