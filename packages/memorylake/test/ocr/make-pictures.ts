import { Orientation, Transformer } from '@napi-rs/image';
import { PdfPage } from '../../src/backends/pdf/pdf-page.ts';
import { loadPdfium } from '../../src/backends/pdf/pdfium.ts';
import type { Turn } from '../../src/domain/pictures/picture.ts';
import { pdf, pdfText } from '../make-files.ts';

type Pieces = readonly (readonly [x: number, y: number, text: string])[];

/** A page of text as a picture of 1240 × 1754 pixels, turned clockwise as one might lay it on a scanner. */
export async function pictureOfPage(pieces: Pieces, turn: Turn = 0): Promise<Transformer> {
  const engine = await loadPdfium();
  const bytes = pdf([pdfText(pieces)]);
  const copy = engine.copyIn(bytes);
  const document = engine.api.FPDF_LoadMemDocument(copy, bytes.length, '');
  const page = new PdfPage(engine, document, 0);
  const { width, height, pixels } = page.picture().picture;
  page.close();
  engine.api.FPDF_CloseDocument(document);
  engine.free(copy);
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) rgba.set(pixels.subarray(at * 3, at * 3 + 3), at * 4);
  const upright = Transformer.fromRgbaPixels(rgba, width, height);
  return turn === 0 ? upright : new Transformer(await upright.rotate(ORIENTATIONS[turn]).png());
}

const ORIENTATIONS = {
  90: Orientation.Rotate90Cw,
  180: Orientation.Rotate180,
  270: Orientation.Rotate270Cw,
} as const;

/** A PDF as scanners write it: each page a JPEG and nothing else. */
export function scannedPdf(jpegs: readonly Buffer[], textOnPages: readonly string[] = []): Buffer {
  const objects: Buffer[] = [];
  const add = (...parts: (string | Buffer)[]) =>
    objects.push(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer))));
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const kids = [...jpegs.map((_, at) => 4 + at * 3), ...textOnPages.map((_, at) => 4 + (jpegs.length + at) * 3)];
  add(`<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const page = (number: number, resources: string) =>
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R /Resources << ${resources} >> >>`,
    );
  const stream = (content: string | Buffer, facts = '') =>
    add(`<< ${facts} /Length ${content.length} >>\nstream\n`, content, '\nendstream');
  const image =
    '/Type /XObject /Subtype /Image /Width 1240 /Height 1754 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode';
  for (const [at, jpeg] of jpegs.entries()) {
    page(4 + at * 3, `/XObject << /Im1 ${6 + at * 3} 0 R >>`);
    stream('q 595 0 0 842 0 0 cm /Im1 Do Q');
    stream(jpeg, image);
  }
  for (const [at, text] of textOnPages.entries()) {
    page(4 + (jpegs.length + at) * 3, '/Font << /F1 3 0 R >>');
    stream(text);
    stream('');
  }
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  for (const [at, object] of objects.entries()) {
    places.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

/** A TIFF of several pages without compression, as fax machines and scanners write them. */
export function tiffOf(pages: readonly { width: number; height: number; grey: Buffer }[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let pointer = { buffer: parts[0]!, at: 4 };
  let end = 8;
  for (const { width, height, grey } of pages) {
    const tags = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, end],
      [277, 1],
      [278, height],
      [279, grey.length],
    ];
    const directory = Buffer.alloc(2 + tags.length * 12 + 4);
    directory.writeUInt16LE(tags.length, 0);
    for (const [at, [tag, value]] of tags.entries()) {
      directory.writeUInt16LE(tag!, 2 + at * 12);
      directory.writeUInt16LE(4, 4 + at * 12);
      directory.writeUInt32LE(1, 6 + at * 12);
      directory.writeUInt32LE(value!, 10 + at * 12);
    }
    pointer.buffer.writeUInt32LE(end + grey.length, pointer.at);
    pointer = { buffer: directory, at: directory.length - 4 };
    parts.push(grey, directory);
    end += grey.length + directory.length;
  }
  return Buffer.concat(parts);
}
