import { type TimeFormat, timeFormatOf } from '../../domain/columns/excel-dates.ts';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { attributesOf, tagsOf } from '../../domain/text/xml-text.ts';
import { ZipFile } from '../zip.ts';
import { linksOf, mainPart, type PartLink } from './office-parts.ts';
import { NoteWriter, writeNotesOf } from './sheet-notes.ts';
import { columnOf, type Merge, richText, SheetScanner, type WorkbookParts } from './sheet-scanner.ts';

/** Sheets up to this size are looked through for merged cells, which stand after the rows. */
const MERGES_UP_TO = 32 * 2 ** 20;

/** Reads a workbook sheet by sheet; large sheets are never held in memory at once. */
export async function readXlsx(path: string, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const zip = new ZipFile(path, limits);
  try {
    const main = mainPart(zip, 'xl/workbook.xml');
    const workbook = zip.text(main);
    if (workbook === undefined) throw new UnreadableFile('It is broken: the list of its sheets is missing');
    const links = linksOf(zip, main);
    const partOf = (type: string) => [...links.values()].find((link) => link.type === type)?.target;
    const parts: WorkbookParts = {
      strings: await sharedStrings(zip, partOf('sharedStrings') ?? 'xl/sharedStrings.xml'),
      timeStyles: timeStyles(zip.text(partOf('styles') ?? 'xl/styles.xml') ?? ''),
      uses1904: /date1904\s*=\s*"(?:1|true)"/.test(workbook),
    };
    const notes = new NoteWriter(sink);
    for (const { name, part } of sheetsOf(zip, workbook, links)) {
      sink.sheet(name);
      await readSheet(zip, part, parts, sink);
      writeNotesOf(zip, part, name, notes);
    }
    sink.tables(zip.names.filter((name) => /^xl\/tables\/[^/]+\.xml$/.test(name)).length);
    sink.figures(zip.names.filter((name) => /^xl\/(?:media\/[^/]+|charts\/chart[^/]*\.xml)$/.test(name)).length);
  } finally {
    zip.close();
  }
}

async function readSheet(zip: ZipFile, part: string, parts: WorkbookParts, sink: ReadSink): Promise<void> {
  const onRow = (number: number, cells: Parameters<ReadSink['row']>[1]) => sink.row(number, cells);
  if (zip.sizeOf(part) <= MERGES_UP_TO) {
    const xml = zip.text(part) ?? '';
    new SheetScanner(parts, mergesOf(xml), onRow).push(xml);
    return;
  }
  const scanner = new SheetScanner(parts, [], onRow);
  for await (const piece of zip.pieces(part)) {
    scanner.push(piece);
    if (scanner.done) break;
  }
}

function sheetsOf(
  zip: ZipFile,
  workbook: string,
  links: ReadonlyMap<string, PartLink>,
): { name: string; part: string }[] {
  return tagsOf(workbook, 'sheet').flatMap((sheet, at) => {
    const id = Object.entries(sheet).find(([key]) => key === 'id' || key.endsWith(':id'))?.[1];
    const link = links.get(id ?? '');
    const part = link?.target ?? `xl/worksheets/sheet${at + 1}.xml`;
    const holdsCells = link?.type ? /^worksheet$/i.test(link.type) : part.includes('worksheets/');
    return zip.has(part) && holdsCells ? [{ name: sheet.name ?? `Sheet${at + 1}`, part }] : [];
  });
}

const STRING = /<(?:[\w-]+:)?si(?:\s*\/>|>([\s\S]*?)<\/(?:[\w-]+:)?si>)/g;

async function sharedStrings(zip: ZipFile, part: string): Promise<string[]> {
  const strings: string[] = [];
  let rest = '';
  for await (const piece of zip.pieces(part)) {
    const xml = rest + piece;
    let read = 0;
    for (const match of xml.matchAll(STRING)) {
      strings.push(match[1] === undefined ? '' : richText(match[1]));
      read = match.index + match[0].length;
    }
    rest = xml.slice(read);
  }
  return strings;
}

function timeStyles(styles: string): TimeFormat[] {
  const codes = new Map(tagsOf(styles, 'numFmt').map((format) => [Number(format.numFmtId), format.formatCode]));
  const cells = /<(?:[\w-]+:)?cellXfs\b[\s\S]*?<\/(?:[\w-]+:)?cellXfs>/.exec(styles)?.[0] ?? '';
  return [...cells.matchAll(/<(?:[\w-]+:)?xf\b([^>]*)>/g)].map((match) => {
    const id = Number(attributesOf(match[1]!).numFmtId ?? 0);
    return timeFormatOf(id, codes.get(id));
  });
}

function mergesOf(xml: string): Merge[] {
  const merges: Merge[] = [];
  for (const match of xml.matchAll(/<(?:[\w-]+:)?mergeCell\s[^>]*ref="([A-Z]+)(\d+):[A-Z]+(\d+)"/g)) {
    const [from, to] = [Number(match[2]), Number(match[3])];
    if (to > from && merges.length < 10_000) merges.push({ column: columnOf(match[1]!), from, to });
  }
  return merges;
}
