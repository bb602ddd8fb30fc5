import type { Box } from '../document.ts';

/** A picture in memory: three bytes for each pixel (red, green, blue), row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A piece of text that was recognised in a picture, in pixels of that picture. */
export interface RecognisedText {
  readonly text: string;
  readonly box: Box;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Degrees clockwise by which a picture has to be turned to stand upright. */
export type Turn = 0 | 90 | 180 | 270;

/** A picture of one to four bytes for each pixel (grey or colours, with opacity or without) on white paper. */
export function pictureOf(width: number, height: number, bytes: Uint8Array): Picture {
  const channels = Math.floor(bytes.length / (width * height));
  if (channels === 3) return { width, height, pixels: bytes };
  const pixels = new Uint8Array(width * height * 3);
  const isGrey = channels < 3;
  for (let at = 0; at < width * height; at++) {
    const from = at * channels;
    const opacity = channels % 2 === 0 ? bytes[from + channels - 1]! / 255 : 1;
    const paper = 255 * (1 - opacity);
    for (let colour = 0; colour < 3; colour++) {
      pixels[at * 3 + colour] = bytes[from + (isGrey ? 0 : colour)]! * opacity + paper;
    }
  }
  return { width, height, pixels };
}

export function turnPicture(picture: Picture, turn: Turn): Picture {
  if (turn === 0) return picture;
  const { width, height, pixels } = picture;
  const [newWidth, newHeight] = turn === 180 ? [width, height] : [height, width];
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [newX, newY] = turnPoint(x, y, width - 1, height - 1, turn);
      const [from, to] = [(y * width + x) * 3, (newY * newWidth + newX) * 3];
      turned[to] = pixels[from]!;
      turned[to + 1] = pixels[from + 1]!;
      turned[to + 2] = pixels[from + 2]!;
    }
  }
  return { width: newWidth, height: newHeight, pixels: turned };
}

/** A box in other units: pixels of a larger picture, or points of a page. */
export const scaleBox = ([x0, y0, x1, y1]: Box, factor: number): Box => [
  x0 * factor,
  y0 * factor,
  x1 * factor,
  y1 * factor,
];

/** Where a box stands after its picture of this size was turned. */
export function turnBox([x0, y0, x1, y1]: Box, { width, height }: { width: number; height: number }, turn: Turn): Box {
  const [ax, ay] = turnPoint(x0, y0, width, height, turn);
  const [bx, by] = turnPoint(x1, y1, width, height, turn);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

function turnPoint(x: number, y: number, width: number, height: number, turn: Turn): readonly [number, number] {
  if (turn === 90) return [height - y, x];
  if (turn === 180) return [width - x, height - y];
  return turn === 270 ? [y, width - x] : [x, y];
}
