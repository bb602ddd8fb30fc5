import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An RGB picture as a PNG file. */
export function encodePng(width: number, height: number, rgb: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered(width, height, rgb), { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row as its difference from the row above: plots repeat themselves downwards. */
function filtered(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const row = width * 3;
  const out = new Uint8Array((row + 1) * height);
  for (let y = 0; y < height; y++) {
    out[y * (row + 1)] = 2;
    for (let x = 0; x < row; x++) {
      const above = y === 0 ? 0 : rgb[(y - 1) * row + x]!;
      out[y * (row + 1) + 1 + x] = rgb[y * row + x]! - above;
    }
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
