import {
  type Box,
  type DocumentTable,
  type ReadLimits,
  type ReadSink,
  type TextBlock,
  UnreadableFile,
} from '../../domain/document.ts';
import { scaleBox } from '../../domain/pictures/picture.ts';
import type { RecognisedLine } from '../../domain/pictures/reading-order.ts';
import { findTables, type Ruling } from '../../domain/tables/find-tables.ts';
import { linesOfPage, type PageLine, paragraphsOf, repeatedLines } from '../../domain/text/page-lines.ts';
import type { Recognition } from '../ocr/recognition.ts';
import { PdfPage } from '../pdf/pdf-page.ts';
import { dropPdfium, loadPdfium, type Pdfium } from '../pdf/pdfium.ts';
import { signaturesOn } from '../pdf/signatures.ts';
import { turnedTables } from '../pdf/turned-tables.ts';
import { writeRecognised } from './write-recognised.ts';

const PASSWORD_ERRORS = new Set([4, 5]);

interface ReadPage {
  readonly number: number;
  readonly height: number;
  readonly lines: readonly PageLine[];
  readonly rulings: readonly Ruling[];
  /** Its tables, if its text is set along its side. */
  readonly turnedTables: readonly DocumentTable[] | undefined;
  readonly values: readonly string[];
  readonly notes: string[];
  /** It is a picture, with little text of its own or none. */
  readonly isPicture: boolean;
  recognised: readonly (readonly RecognisedLine[])[];
  /** Points for one pixel of what was recognised. */
  scale: number;
}

/** A scan may carry a line of text, such as a stamp or the name of the program that made it. */
const MOST_BESIDE_SCAN = 100;

/**
 * Reads a PDF page by page: text with its boxes, tables, form values and annotations; headers and footers once. The text
 * of pages that are pictures is recognised; without recognition they are left out.
 */
export async function readPdf(
  bytes: Uint8Array,
  sink: ReadSink,
  limits: ReadLimits,
  recognition?: Recognition,
): Promise<void> {
  const engine = await loadPdfium();
  const copy = engine.copyIn(bytes);
  try {
    const document = engine.api.FPDF_LoadMemDocument(copy, bytes.length, '');
    if (document === 0) throw refusal(engine.api.FPDF_GetLastError());
    try {
      await readDocument(engine, document, sink, limits, recognition);
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

async function readDocument(
  engine: Pdfium,
  document: number,
  sink: ReadSink,
  limits: ReadLimits,
  recognition: Recognition | undefined,
): Promise<void> {
  const { api } = engine;
  const count = api.FPDF_GetPageCount(document);
  if (count > limits.maxPages) throw new UnreadableFile(`It has ${count} pages; at most ${limits.maxPages} are read`);
  const title = engine.text((pointer, length) => api.FPDF_GetMetaText(document, 'Title', pointer, length));
  sink.title(title);
  const formInfo = api.PDFiumExt_OpenFormFillInfo();
  const form = api.PDFiumExt_InitFormFillEnvironment(document, formInfo);
  const isSigned = form !== 0 && api.FPDF_GetSignatureCount(document) > 0;
  const pages: ReadPage[] = [];
  let images = 0;
  try {
    for (let index = 0; index < count; index++) {
      const page = new PdfPage(engine, document, index);
      if (!page.isBroken) {
        const objects = page.objects();
        images += objects.images;
        const characters = page.characters();
        const lines = linesOfPage(characters);
        const turn = page.turn();
        const { width, height } = page;
        const { rulings } = objects;
        const number = index + 1;
        pages.push({
          number,
          height,
          lines,
          rulings,
          turnedTables: turn === 0 ? undefined : turnedTables({ number, width, height, rulings }, characters, turn),
          isPicture: isPicture(lines, objects),
          recognised: [],
          scale: 1,
          ...page.annotations(form),
        });
      }
      page.close();
      if (isSigned && !page.isBroken) pages.at(-1)!.notes.push(...signaturesOn(engine, document, index, form));
    }
  } finally {
    if (form !== 0) api.PDFiumExt_ExitFormFillEnvironment(form);
    api.PDFiumExt_CloseFormFillInfo(formInfo);
  }
  const unread = recognition ? await recognisePages(engine, document, pages, recognition, sink) : undefined;
  writePages(pages, sink);
  sink.figures(images);
  if (
    pages.some(
      ({ lines, values, notes, recognised }) => lines.length + values.length + notes.length + recognised.length > 0,
    )
  )
    return;
  if (!pages.some((page) => page.isPicture)) throw new UnreadableFile('It has no text');
  throw new UnreadableFile(
    `It has no text: its ${count === 1 ? 'page is a picture' : `${count} pages are pictures`} (a scan). ${unread ?? 'No text was recognised in it'}`,
  );
}

function isPicture(lines: readonly PageLine[], { count, covered }: { count: number; covered: number }): boolean {
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return characters === 0 ? count > 0 : characters < MOST_BESIDE_SCAN && covered > 0.5;
}

/** Recognises the text of pages that are pictures. Gives the reason if some were not. */
async function recognisePages(
  engine: Pdfium,
  document: number,
  pages: readonly ReadPage[],
  recognition: Recognition,
  sink: ReadSink,
): Promise<string | undefined> {
  const pictures = pages.filter((page) => page.isPicture);
  const wanted = recognition.problem === undefined ? pictures.slice(0, recognition.maxPages) : [];
  for (const [done, page] of wanted.entries()) {
    const shown = new PdfPage(engine, document, page.number - 1);
    const { picture, scale } = shown.picture();
    shown.close();
    const paragraphs = await recognition.paragraphsOf(picture, done, wanted.length);
    const isNew = (line: RecognisedLine) => !page.lines.some(({ box }) => overlaps(box, scaleBox(line.box, 1 / scale)));
    page.scale = 1 / scale;
    page.recognised = paragraphs.map((lines) => lines.filter(isNew)).filter((lines) => lines.length > 0);
  }
  const left = pictures.slice(wanted.length).map(({ number }) => number);
  if (left.length === 0) return undefined;
  const reason =
    recognition.problem ?? `Text is recognised on at most ${recognition.maxPages} pages of a file (--ocr-pages)`;
  sink.unread(left, reason);
  return reason;
}

/** Whether a recognised line is one that the page has as text. */
function overlaps(text: Box, line: Box): boolean {
  const width = Math.min(text[2], line[2]) - Math.max(text[0], line[0]);
  const height = Math.min(text[3], line[3]) - Math.max(text[1], line[1]);
  return width > 0 && height > 0 && width * height > ((line[2] - line[0]) * (line[3] - line[1])) / 2;
}

function writePages(pages: readonly ReadPage[], sink: ReadSink): void {
  const repeated = repeatedLines(pages);
  let line = 0;
  const write = (block: Omit<TextBlock, 'line'>) => sink.text({ ...block, line: ++line });
  for (const { number: page, lines, rulings, turnedTables: turned, values, notes, recognised, scale } of pages) {
    const shown = lines.filter((one) => !repeated.has(one));
    for (const paragraph of paragraphsOf(shown)) {
      write({ text: paragraph.map(({ text }) => text).join('\n'), boxes: paragraph.map(({ box }) => box), page });
    }
    line = writeRecognised(recognised, { page, lastNumber: line, scale }, sink);
    for (const table of turned ?? findTables(page, shown, rulings)) sink.table(table);
    if (values.length > 0) write({ text: values.join('\n'), page, part: 'form' });
    for (const note of notes) write({ text: note, page, part: 'annotations' });
  }
}

function refusal(code: number): UnreadableFile {
  if (PASSWORD_ERRORS.has(code)) {
    return new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  return new UnreadableFile('It is broken: the PDF cannot be read');
}
