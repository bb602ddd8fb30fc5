/** One image of a file, as its header describes it. A TIFF may hold several. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** In a TIFF: where its directory begins. */
  readonly directory?: number;
}

const MAX_DIRECTORIES = 10_000;

/** Sizes of the images in a file, read from its headers alone; none where they are damaged. */
export function imageHeaders(bytes: Uint8Array): ImageHeader[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const found = headersOf(file);
    return found.every(({ width, height }) => width > 0 && height > 0) ? found : [];
  } catch {
    // An offset that leads out of the file: it was cut off.
    return [];
  }
}

function headersOf(file: Buffer): ImageHeader[] {
  if (file.readUInt32BE(0) === 0x89504e47) return [{ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }];
  if (file.readUInt16BE(0) === 0xffd8) return jpegSize(file);
  const start = file.toString('latin1', 0, 4);
  if (start === 'GIF8') return [{ width: file.readUInt16LE(6), height: file.readUInt16LE(8) }];
  if (start === 'RIFF') return [webpSize(file)];
  if (start.startsWith('BM')) return [{ width: file.readInt32LE(18), height: Math.abs(file.readInt32LE(22)) }];
  return tiffDirectories(file, start.startsWith('II'));
}

function jpegSize(file: Buffer): ImageHeader[] {
  for (let at = 2; ; ) {
    while (file.readUInt8(at) === 0xff && file.readUInt8(at + 1) === 0xff) at++;
    if (file.readUInt8(at) !== 0xff) return [];
    const marker = file.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return [{ width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) }];
    at += 2 + file.readUInt16BE(at + 2);
  }
}

function webpSize(file: Buffer): ImageHeader {
  const kind = file.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = file.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
}

const WIDTH = 256;
const HEIGHT = 257;
const SHORT = 3;

function tiffDirectories(file: Buffer, isLittle: boolean): ImageHeader[] {
  const short = (at: number) => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const long = (at: number) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const found: ImageHeader[] = [];
  const seen = new Set<number>();
  for (let directory = long(4); directory !== 0 && !seen.has(directory) && found.length < MAX_DIRECTORIES; ) {
    seen.add(directory);
    const entries = short(directory);
    const size = { width: 0, height: 0 };
    for (let entry = 0; entry < entries; entry++) {
      const at = directory + 2 + entry * 12;
      const value = short(at + 2) === SHORT ? short(at + 8) : long(at + 8);
      if (short(at) === WIDTH) size.width = value;
      if (short(at) === HEIGHT) size.height = value;
    }
    found.push({ ...size, directory });
    directory = long(directory + 2 + entries * 12);
  }
  return found;
}

/** The same TIFF with another of its images as the first, for decoders that see no other. */
export function withFirstDirectory(bytes: Uint8Array, directory: number): Uint8Array {
  const copy = Buffer.from(bytes);
  if (copy[0] === 0x49) copy.writeUInt32LE(directory, 4);
  else copy.writeUInt32BE(directory, 4);
  return copy;
}
