import type { JsColorType } from '@napi-rs/image';
import { UnreadableFile } from '../../domain/document.ts';
import { type ImageHeader, imageHeaders, withFirstDirectory } from '../../domain/pictures/image-header.ts';
import { type Picture, pictureOf } from '../../domain/pictures/picture.ts';
import { LACKS_PACKAGE } from './model-files.ts';

/** About an A4 page at 600 dots per inch; the pixels of a larger one do not fit beside the models. */
const MAX_PIXELS = 50_000_000;
/** Larger pictures are made smaller: their letters are large too. */
const MAX_SIDE = 2_600;
/** Where the kinds of colours with two bytes, and those with fractions, begin in the decoder's list. */
const FIRST_WIDE: JsColorType = 4;
const FIRST_FLOAT: JsColorType = 8;

interface DecodedImage extends Picture {
  /** Pixels of the file for one pixel of the picture. */
  readonly scale: number;
}

/** The images of a file by their headers; refused before anything is decoded when one is too large. */
export function imagesIn(bytes: Uint8Array): ImageHeader[] {
  const headers = imageHeaders(bytes);
  if (headers.length === 0) throw new UnreadableFile('It is broken: the image has no size');
  for (const { width, height } of headers) {
    if (width * height <= MAX_PIXELS) continue;
    const [shown, most] = [`${count(width)} × ${count(height)}`, count(MAX_PIXELS / 1e6)];
    throw new UnreadableFile(
      `It has ${shown} pixels; at most ${most} million are read. Make it smaller and add it again`,
    );
  }
  return headers;
}

/** Decodes one image of a file, upright as its camera says, on white paper. */
export async function decodeImage(bytes: Uint8Array, { directory }: ImageHeader): Promise<DecodedImage> {
  const { FastResizeFilter, ResizeFit, Transformer } = await import('@napi-rs/image').catch(() => {
    throw new UnreadableFile(LACKS_PACKAGE);
  });
  try {
    const image = new Transformer(directory === undefined ? bytes : withFirstDirectory(bytes, directory));
    const metadata = await image.metadata(true);
    const scale = Math.max(1, Math.max(metadata.width, metadata.height) / MAX_SIDE);
    const [width, height] = [smaller(metadata.width, scale), smaller(metadata.height, scale)];
    if (scale > 1) image.fastResize({ width, height, filter: FastResizeFilter.Bilinear, fit: ResizeFit.Fill });
    const orientation = metadata.orientation ?? 1;
    if (orientation > 1) image.rotate();
    const pixels = eightBit(await image.rawPixels(), metadata.colorType);
    const isOnItsSide = orientation >= 5;
    return { ...pictureOf(isOnItsSide ? height : width, isOnItsSide ? width : height, pixels), scale };
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('It is broken: the image cannot be decoded');
  }
}

const smaller = (side: number, scale: number): number => Math.max(1, Math.round(side / scale));

/** Of values of two bytes the higher one is kept. */
function eightBit(raw: Buffer, colours: JsColorType): Uint8Array {
  if (colours >= FIRST_FLOAT) throw new UnreadableFile('Its colours are fractions (HDR). Save it as PNG and add that');
  if (colours < FIRST_WIDE) return raw;
  const bytes = new Uint8Array(raw.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = raw[at * 2 + 1]!;
  return bytes;
}

const count = (value: number): string => value.toLocaleString('en-US');
