import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../domain/document.ts';
import { countTables, type TextBox } from '../domain/page-tables.ts';

let loaded: Promise<PDFiumLibrary> | undefined;

/** Reads the text of a PDF page by page, and counts its pictures and tables. */
export async function readPdf(bytes: Uint8Array, sink: ReadSink, limits: ReadLimits): Promise<void> {
  loaded ??= PDFiumLibrary.init();
  const library = await loaded;
  let document: PDFiumDocument | undefined;
  try {
    document = await library.loadDocument(bytes).catch((error: unknown) => {
      throw nameFailure(error);
    });
    readPages(document, sink, limits);
    document.destroy();
  } catch (error) {
    // An engine that stumbled is not trusted with the next file.
    if (!(error instanceof UnreadableFile)) loaded = undefined;
    else document?.destroy();
    throw error;
  }
}

function readPages(document: PDFiumDocument, sink: ReadSink, limits: ReadLimits): void {
  const pages = document.getPageCount();
  if (pages > limits.maxPages) throw new UnreadableFile(`It has ${pages} pages; at most ${limits.maxPages} are read`);
  let letters = 0;
  let figures = 0;
  let line = 0;
  for (const page of document.pages()) {
    const text = page.getText().replaceAll('\0', '').replaceAll('\ufffe', '-');
    letters += text.trim().length;
    figures += countImages(page);
    sink.tables(countTables(textBoxes(page)));
    for (const paragraph of text.split(/\r?\n\s*\r?\n/)) {
      if (paragraph.trim() !== '') sink.text({ text: tidy(paragraph), line: ++line, page: page.number + 1 });
    }
    closePage(page);
  }
  sink.figures(figures);
  if (letters === 0) throw new UnreadableFile(figures > 0 ? scanned(pages) : 'It has no text');
}

function scanned(pages: number): string {
  const what = pages === 1 ? 'page is a picture' : `${pages} pages are pictures`;
  return `It has no text: its ${what} (a scan). Run text recognition (OCR) on it and add the result`;
}

function nameFailure(error: unknown): UnreadableFile {
  const words = String(error);
  if (/password|security/i.test(words)) {
    return new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  return new UnreadableFile('It is broken: the PDF cannot be read');
}

const tidy = (text: string): string =>
  text
    .replace(/\r/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();

function countImages(page: PDFiumPage): number {
  let images = 0;
  for (const object of page.objects()) if (object.type === 'image') images++;
  return images;
}

/** The part of PDFium's own surface that the wrapper keeps to itself. */
interface RawPdfium {
  _FPDF_ClosePage(page: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_CountRects(text: number, start: number, count: number): number;
  _FPDFText_GetRect(text: number, index: number, left: number, top: number, right: number, bottom: number): number;
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
}

// The wrapper has no way to ask where text stands, which is all that tells a table from prose, nor to close a page.
const raw = (page: PDFiumPage) => page as unknown as { readonly module: RawPdfium; readonly pageIdx: number };

function closePage(page: PDFiumPage): void {
  const { module, pageIdx } = raw(page);
  module._FPDF_ClosePage(pageIdx);
}

function textBoxes(page: PDFiumPage): TextBox[] {
  const { module, pageIdx } = raw(page);
  const text = module._FPDFText_LoadPage(pageIdx);
  const pointer = module.wasmExports.malloc(32);
  try {
    const count = module._FPDFText_CountRects(text, 0, module._FPDFText_CountChars(text));
    const boxes: TextBox[] = [];
    for (let index = 0; index < count; index++) {
      module._FPDFText_GetRect(text, index, pointer, pointer + 8, pointer + 16, pointer + 24);
      const view = new DataView(module.HEAPU8.buffer, pointer, 32);
      boxes.push({
        left: view.getFloat64(0, true),
        top: view.getFloat64(8, true),
        right: view.getFloat64(16, true),
        bottom: view.getFloat64(24, true),
      });
    }
    return boxes;
  } finally {
    module.wasmExports.free(pointer);
    module._FPDFText_ClosePage(text);
  }
}
