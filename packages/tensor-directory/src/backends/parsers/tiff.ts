import { countOf, type Dtype, shapeText, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { GeoTIFFImage } from 'geotiff';
import { checkStart, loaded, type Parser } from './parser.ts';

const STARTS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];
/** Colours that are not stored as red, green and blue: palette, CMYK, YCbCr, CIELab. */
const CONVERTED = new Set([3, 5, 6, 8]);
/** By their numbers in the file, those that come out as they were put in. */
const PACKINGS = new Set([1, 5, 7, 8, 32773, 32946, 34887, 50000]);
const LERC = 34887;
const FLOAT = 3;
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
  await checkSamples(image);
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

/** Refuses what the library cannot read, or reads as other numbers. */
async function checkSamples(image: GeoTIFFImage): Promise<void> {
  const { fileDirectory, littleEndian } = image as GeoTIFFImage & { readonly littleEndian: boolean };
  const value = async (tag: 'Compression' | 'Predictor') =>
    fileDirectory.hasTag(tag) ? Number(await fileDirectory.loadValue(tag)) : 1;
  const [bits, format] = [image.getBitsPerSample(), image.getSampleFormat()];
  const isFloat = format === FLOAT;
  if (!(isFloat ? [16, 32, 64] : [8, 16, 32]).includes(bits) || format > FLOAT)
    throw new FormatError(
      `its samples of ${bits || 1} bits${format > FLOAT ? ' are complex numbers, which' : ''} cannot be read`,
    );
  const packing = await value('Compression');
  if (!PACKINGS.has(packing))
    throw new FormatError(`its compression, number ${packing}, is not supported; save it with LZW or Deflate`);
  if (packing === LERC && image.getSamplesPerPixel() > 1)
    throw new FormatError('LERC with several channels is not supported; save it with LZW or Deflate');
  if ((await value('Predictor')) !== 1 && !littleEndian && bits > 8)
    throw new FormatError(
      'it is big-endian and has a predictor, which is not supported together; save it without one of them',
    );
}
