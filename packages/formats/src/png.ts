import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface PngOptions {
  /** `up` is smaller for plots, which repeat themselves downwards, and `none` for pages of text. */
  readonly filter: 'none' | 'up';
  /** Of compression, from 1 to 9. */
  readonly level: number;
}

/** A picture of three bytes per pixel, row by row, as a PNG file. */
export function encodePng(
  width: number,
  height: number,
  rgb: Uint8Array,
  { filter, level }: PngOptions = { filter: 'up', level: 6 },
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered(width, height, rgb, filter), { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The rows, each behind the number of its filter: 0 for none, 2 for the difference from the row above. */
function filtered(width: number, height: number, rgb: Uint8Array, filter: PngOptions['filter']): Uint8Array {
  const row = width * 3;
  const out = new Uint8Array((row + 1) * height);
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * row, y * (row + 1) + 1];
    out.set(rgb.subarray(from, from + row), to);
    if (filter === 'none') continue;
    out[to - 1] = 2;
    if (y > 0) for (let x = 0; x < row; x++) out[to + x]! -= rgb[from - row + x]!;
  }
  return out;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
