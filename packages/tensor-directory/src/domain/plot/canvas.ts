import { encodePng } from '@atoll-mcp/formats/png';
import { PAPER, type Rgb } from './colours.ts';
import { glyphsOf, type Stroke, spacing, textWidth } from './stroke-font.ts';

interface TextStyle {
  readonly size: number;
  readonly colour: Rgb;
  /** Where the given point lies in the text. */
  readonly align?: 'left' | 'centre' | 'right';
  readonly bold?: boolean;
  /** Reads upwards. */
  readonly upright?: boolean;
}

/** A picture that lines and letters are drawn into with smooth edges. Pixel (0, 0) is at the top left. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#pixels = new Uint8Array(width * height * 3);
    this.#pixels.fill(PAPER[0]);
  }

  toPng(): Buffer {
    return encodePng(this.width, this.height, this.#pixels);
  }

  set(x: number, y: number, [red, green, blue]: Rgb): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = (y * this.width + x) * 3;
    this.#pixels[at] = red;
    this.#pixels[at + 1] = green;
    this.#pixels[at + 2] = blue;
  }

  blend(x: number, y: number, colour: Rgb, share: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || share <= 0) return;
    const at = (y * this.width + x) * 3;
    const part = Math.min(share, 1);
    for (let i = 0; i < 3; i++) this.#pixels[at + i] = this.#pixels[at + i]! * (1 - part) + colour[i]! * part;
  }

  rect(x: number, y: number, width: number, height: number, colour: Rgb): void {
    for (let row = Math.round(y); row < Math.round(y + height); row++) {
      for (let column = Math.round(x); column < Math.round(x + width); column++) this.set(column, row, colour);
    }
  }

  frame(x: number, y: number, width: number, height: number, colour: Rgb): void {
    this.rect(x, y, width, 1, colour);
    this.rect(x, y + height - 1, width, 1, colour);
    this.rect(x, y, 1, height, colour);
    this.rect(x + width - 1, y, 1, height, colour);
  }

  /** Strokes that belong together: where they cross, the colour is laid on once. */
  strokes(strokes: readonly Stroke[], width: number, colour: Rgb): void {
    const points = strokes.flat();
    if (points.length === 0) return;
    const reach = width / 2 + 1;
    const left = Math.max(0, Math.floor(Math.min(...points.map(([x]) => x)) - reach));
    const top = Math.max(0, Math.floor(Math.min(...points.map(([, y]) => y)) - reach));
    const right = Math.min(this.width, Math.ceil(Math.max(...points.map(([x]) => x)) + reach) + 1);
    const bottom = Math.min(this.height, Math.ceil(Math.max(...points.map(([, y]) => y)) + reach) + 1);
    if (right <= left || bottom <= top) return;
    const cover = new Float32Array((right - left) * (bottom - top));
    const box = { left, top, right, bottom };
    for (const stroke of strokes) {
      for (let i = 0; i < Math.max(1, stroke.length - 1); i++)
        coverSegment(cover, box, stroke[i]!, stroke[i + 1] ?? stroke[i]!, width);
    }
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) this.blend(x, y, colour, cover[(y - top) * (right - left) + x - left]!);
    }
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const scale = style.size / 10;
    const length = textWidth(text, style.size);
    let along = style.align === 'centre' ? -length / 2 : style.align === 'right' ? -length : 0;
    const strokes: Stroke[] = [];
    for (const glyph of glyphsOf(text)) {
      for (const stroke of glyph.strokes) {
        strokes.push(
          stroke.map(([gx, gy]) =>
            style.upright ? [x - gy * scale, y - along - gx * scale] : [x + along + gx * scale, y - gy * scale],
          ),
        );
      }
      along += glyph.width * scale + spacing(style.size);
    }
    this.strokes(strokes, style.size * (style.bold ? 0.18 : 0.125), style.colour);
  }
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** How much of each pixel lies under a line with round ends. */
function coverSegment(
  cover: Float32Array,
  box: Box,
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  width: number,
): void {
  const reach = width / 2 + 1;
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const fromX = Math.max(box.left, Math.floor(Math.min(ax, bx) - reach));
  const toX = Math.min(box.right, Math.ceil(Math.max(ax, bx) + reach) + 1);
  const fromY = Math.max(box.top, Math.floor(Math.min(ay, by) - reach));
  const toY = Math.min(box.bottom, Math.ceil(Math.max(ay, by) + reach) + 1);
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX; x < toX; x++) {
      const px = x + 0.5 - ax;
      const py = y + 0.5 - ay;
      const along = square === 0 ? 0 : Math.min(Math.max((px * dx + py * dy) / square, 0), 1);
      const distance = Math.hypot(px - along * dx, py - along * dy);
      const share = Math.min(Math.max(width / 2 + 0.5 - distance, 0), Math.min(1, width));
      const at = (y - box.top) * (box.right - box.left) + x - box.left;
      if (share > cover[at]!) cover[at] = share;
    }
  }
}
