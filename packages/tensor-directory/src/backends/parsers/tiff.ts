import { countOf, type Dtype, shapeText, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { GeoTIFFImage } from 'geotiff';
import { checkStart, loaded, type Parser } from './parser.ts';

const STARTS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];
/** Colours that are not stored as red, green and blue: palette, CMYK, YCbCr, CIELab. */
const CONVERTED = new Set([3, 5, 6, 8]);
const MAX_PAGES = 100_000;

/** Samples as they are stored, height × width × channels. Pages that are alike become one array with the page first. */
export const parseTiff: Parser = async (file, maxBytes) => {
  checkStart(file, 'TIFF', STARTS);
  const { fromArrayBuffer } = await loaded('geotiff', () => import('geotiff'));
  const content = file.read(0, file.sizeBytes);
  const count = pagesIn(new DataView(content));
  const tiff = await fromArrayBuffer(content);
  const pages: Tensor[] = [];
  let left = maxBytes;
  for (let i = 0; i < count; i++) {
    const page = await readPage(await tiff.getImage(i), left, maxBytes);
    left -= page.data.byteLength;
    pages.push(page);
  }
  const kinds = new Set(pages.map(({ dtype, shape }) => `${dtype} ${shapeText(shape)}`));
  if (pages.length === 1) return { tensors: [{ tensor: pages[0]! }] };
  if (kinds.size > 1) return { tensors: pages.map((tensor, i) => ({ key: `page${i}`, tensor })) };
  const [{ dtype, shape }] = pages as [Tensor];
  const data = Buffer.concat(pages.map((page) => page.data));
  return { tensors: [{ tensor: { dtype, shape: [count, ...shape], data } }] };
};

/** Each directory of a page names the place of the next. The library follows them without end where they form a ring. */
function pagesIn(file: DataView): number {
  const isLittle = file.getUint8(0) === 0x49;
  const isBig = file.getUint16(2, isLittle) === 43;
  const offset = (at: number) => (isBig ? Number(file.getBigUint64(at, isLittle)) : file.getUint32(at, isLittle));
  const seen = new Set<number>();
  for (let at = offset(isBig ? 8 : 4); at !== 0; ) {
    if (seen.has(at)) throw new FormatError('its pages form a ring');
    seen.add(at);
    if (seen.size > MAX_PAGES) throw new FormatError(`it has more than ${MAX_PAGES} pages`);
    const entries = isBig ? Number(file.getBigUint64(at, isLittle)) : file.getUint16(at, isLittle);
    at = offset(at + (isBig ? 8 + 20 * entries : 2 + 12 * entries));
  }
  return seen.size;
}

async function readPage(image: GeoTIFFImage, left: number, maxBytes: number): Promise<Tensor> {
  const [height, width, channels] = [image.getHeight(), image.getWidth(), image.getSamplesPerPixel()];
  const sampleBytes = Math.ceil(image.getBitsPerSample() / 8) || 1;
  if (!(width * height * Math.max(3, channels) * sampleBytes <= left))
    throw new FormatError(`its ${width}×${height} pixels take more than the allowed ${maxBytes} bytes`);
  const isConverted = CONVERTED.has(Number(image.fileDirectory.getValue('PhotometricInterpretation')));
  const samples = isConverted
    ? await image.readRGB({ interleave: true })
    : await image.readRasters({ interleave: true });
  if (!ArrayBuffer.isView(samples)) throw new FormatError('its samples are of an unknown kind');
  const depth = isConverted ? 3 : channels;
  const shape = depth === 1 ? [height, width] : [height, width, depth];
  const data = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const dtype = samples.constructor.name.replace('Clamped', '').replace('Array', '').toLowerCase() as Dtype;
  if (samples.length !== countOf(shape)) throw new FormatError('it ends before its picture does');
  return { dtype, shape, data };
}
