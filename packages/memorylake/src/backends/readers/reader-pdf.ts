import { type ReadLimits, type ReadSink, type TextBlock, UnreadableFile } from '../../domain/document.ts';
import { findTables, type Ruling } from '../../domain/tables/find-tables.ts';
import {
  isMarginal,
  linesOfPage,
  marginKey,
  type PageLine,
  paragraphsOf,
  repeatedLines,
} from '../../domain/text/page-lines.ts';
import { PdfPage } from '../pdf/pdf-page.ts';
import { dropPdfium, loadPdfium, type Pdfium } from '../pdf/pdfium.ts';

const PASSWORD_ERRORS = new Set([4, 5]);

interface ReadPage {
  readonly number: number;
  readonly height: number;
  readonly lines: readonly PageLine[];
  readonly rulings: readonly Ruling[];
  readonly values: readonly string[];
  readonly notes: readonly string[];
}

/** Reads a PDF page by page: text with its boxes, tables, form values and annotations; headers and footers once. */
export async function readPdf(bytes: Uint8Array, sink: ReadSink, limits: ReadLimits): Promise<void> {
  const engine = await loadPdfium();
  const copy = engine.copyIn(bytes);
  try {
    const document = engine.api.FPDF_LoadMemDocument(copy, bytes.length, '');
    if (document === 0) throw refusal(engine.api.FPDF_GetLastError());
    try {
      readDocument(engine, document, sink, limits);
    } finally {
      engine.api.FPDF_CloseDocument(document);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) dropPdfium();
    throw error;
  } finally {
    engine.free(copy);
  }
}

function readDocument(engine: Pdfium, document: number, sink: ReadSink, limits: ReadLimits): void {
  const { api } = engine;
  const count = api.FPDF_GetPageCount(document);
  if (count > limits.maxPages) throw new UnreadableFile(`It has ${count} pages; at most ${limits.maxPages} are read`);
  const title = engine.text((pointer, length) => api.FPDF_GetMetaText(document, 'Title', pointer, length));
  sink.title(title);
  const formInfo = api.PDFiumExt_OpenFormFillInfo();
  const form = api.PDFiumExt_InitFormFillEnvironment(document, formInfo);
  const pages: ReadPage[] = [];
  let images = 0;
  try {
    for (let index = 0; index < count; index++) {
      const page = new PdfPage(engine, document, index);
      if (!page.isBroken) {
        const objects = page.objects();
        images += objects.images;
        const lines = linesOfPage(page.characters());
        pages.push({
          number: index + 1,
          height: page.height,
          lines,
          rulings: objects.rulings,
          ...page.annotations(form),
        });
      }
      page.close();
    }
  } finally {
    if (form !== 0) api.PDFiumExt_ExitFormFillEnvironment(form);
    api.PDFiumExt_CloseFormFillInfo(formInfo);
  }
  writePages(pages, sink);
  sink.figures(images);
  if (pages.every(({ lines, values, notes }) => lines.length + values.length + notes.length === 0)) {
    throw new UnreadableFile(images > 0 ? scanned(count) : 'It has no text');
  }
}

function writePages(pages: readonly ReadPage[], sink: ReadSink): void {
  const repeated = repeatedLines(pages);
  const seen = new Set<string>();
  let line = 0;
  const write = (block: Omit<TextBlock, 'line'>) => sink.text({ ...block, line: ++line });
  for (const { number: page, height, lines, rulings, values, notes } of pages) {
    const isNew = ({ text, box }: PageLine) => {
      const key = marginKey(text);
      if (!repeated.has(key) || !isMarginal(box, height)) return true;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    };
    const shown = lines.filter(isNew);
    for (const paragraph of paragraphsOf(shown)) {
      write({ text: paragraph.map(({ text }) => text).join('\n'), boxes: paragraph.map(({ box }) => box), page });
    }
    for (const table of findTables(page, shown, rulings)) sink.table(table);
    if (values.length > 0) write({ text: values.join('\n'), page, part: 'form' });
    for (const note of notes) write({ text: note, page, part: 'annotations' });
  }
}

function scanned(pages: number): string {
  const what = pages === 1 ? 'page is a picture' : `${pages} pages are pictures`;
  return `It has no text: its ${what} (a scan). Run text recognition (OCR) on it and add the result`;
}

function refusal(code: number): UnreadableFile {
  if (PASSWORD_ERRORS.has(code)) {
    return new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  return new UnreadableFile('It is broken: the PDF cannot be read');
}
