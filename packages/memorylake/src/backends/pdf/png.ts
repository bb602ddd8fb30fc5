import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const COLOUR = 2;

/** A drawn page as a PNG file. The engine gives four bytes a pixel, of which the last means nothing on filled paper. */
export function pngOfPixels(width: number, height: number, pixels: Uint8Array, stride: number): Buffer {
  const row = 1 + 3 * width;
  const rows = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * stride + 4 * x;
      rows.set(pixels.subarray(from, from + 3), y * row + 1 + 3 * x);
    }
  }
  const size = new DataView(new ArrayBuffer(13));
  size.setUint32(0, width);
  size.setUint32(4, height);
  size.setUint8(8, 8);
  size.setUint8(9, COLOUR);
  const parts = { IHDR: new Uint8Array(size.buffer), IDAT: deflateSync(rows, { level: 5 }), IEND: new Uint8Array() };
  return Buffer.concat([SIGNATURE, ...Object.entries(parts).map(([name, data]) => part(name, data))]);
}

function part(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [data.length, crc32(named)].map((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  });
  return Buffer.concat([length!, named, check!]);
}
