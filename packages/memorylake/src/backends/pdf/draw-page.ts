import { readFileSync } from 'node:fs';
import { encodePng } from '@atoll-mcp/formats/png';
import { type DrawnPage, UnreadableFile } from '../../domain/document.ts';
import { dropPdfium, loadPdfium, type Pdfium } from './pdfium.ts';

/** Sharp on a screen with small pixels, and quick to send. */
const PIXELS_PER_POINT = 2;
const MAX_SIDE = 2_400;
const WITH_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const FOR_TEXT = { filter: 'none', level: 5 } as const;
const WHITE = 0xffff_ffff;

/** A page of a PDF as it is printed. */
export async function drawPage(path: string, number: number): Promise<DrawnPage> {
  const bytes = readFileSync(path);
  const engine = await loadPdfium();
  const copy = engine.copyIn(bytes);
  try {
    const document = engine.api.FPDF_LoadMemDocument(copy, bytes.length, '');
    if (document === 0) throw new UnreadableFile('It is broken: the PDF cannot be read');
    try {
      return draw(engine, document, number);
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

function draw({ api }: Pdfium, document: number, number: number): DrawnPage {
  const page = api.FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new UnreadableFile(`Page ${number} is broken`);
  const [width, height] = [api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page)];
  const scale = Math.min(PIXELS_PER_POINT, MAX_SIDE / Math.max(width, height, 1));
  const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const bitmap = api.FPDFBitmap_Create(across, down, 0);
  try {
    if (bitmap === 0) throw new UnreadableFile(`Page ${number} is too large to be drawn`);
    api.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, WHITE);
    api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, WITH_ANNOTATIONS | RED_FIRST);
    const [start, stride] = [api.FPDFBitmap_GetBuffer(bitmap), api.FPDFBitmap_GetStride(bitmap)];
    const pixels = api.pdfium.HEAPU8.subarray(start, start + stride * down);
    const pages = api.FPDF_GetPageCount(document);
    return {
      png: encodePng(across, down, withoutFourth(across, down, pixels, stride), FOR_TEXT),
      pages,
      width,
      height,
    };
  } finally {
    if (bitmap !== 0) api.FPDFBitmap_Destroy(bitmap);
    api.FPDF_ClosePage(page);
  }
}

/** The engine gives four bytes a pixel, of which the last means nothing on filled paper. */
function withoutFourth(width: number, height: number, pixels: Uint8Array, stride: number): Uint8Array {
  const rgb = new Uint8Array(3 * width * height);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let from = y * stride; from < y * stride + 4 * width; from += 4) {
      rgb[to++] = pixels[from]!;
      rgb[to++] = pixels[from + 1]!;
      rgb[to++] = pixels[from + 2]!;
    }
  }
  return rgb;
}
