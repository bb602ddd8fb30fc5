import { inflateSync } from 'node:zlib';
import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { TensorFormat } from './format.ts';

const SIGNATURE = '89504e470d0a1a0a';
/** Bits of a sample that each colour type may have. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** Samples of a pixel by the colour type; a palette has one, which stands for three. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
}

/** What the indices of a palette stand for. */
interface Colours {
  readonly palette: Buffer | undefined;
  readonly alpha: Buffer | undefined;
}

/** A picture as height × width, or height × width × channels. */
export const png: TensorFormat = {
  extensions: ['.png'],
  read(bytes, { maxBytes }) {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (file.toString('hex', 0, 8) !== SIGNATURE) throw new FormatError('it is not a PNG file');
    let header: Header | undefined;
    let palette: Buffer | undefined;
    let alpha: Buffer | undefined;
    const packed: Buffer[] = [];
    for (const { type, data } of chunks(file)) {
      if (type === 'IHDR') header = headerOf(data);
      else if (type === 'PLTE') palette = data;
      else if (type === 'tRNS') alpha = data;
      else if (type === 'IDAT') packed.push(data);
    }
    if (!header) throw damaged();
    return { tensors: [{ tensor: decode(header, { palette, alpha }, Buffer.concat(packed), maxBytes) }] };
  },
};

function* chunks(file: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (length > file.length - at - 12) throw new FormatError('it ends before its picture does');
    const type = file.toString('latin1', at + 4, at + 8);
    yield { type, data: file.subarray(at + 8, at + 8 + length) };
    if (type === 'IEND') return;
    at += 12 + length;
  }
  throw new FormatError('it ends before its picture does');
}

function headerOf(data: Buffer): Header {
  if (data.length !== 13) throw damaged();
  const header = { width: data.readUInt32BE(0), height: data.readUInt32BE(4), depth: data[8]!, colour: data[9]! };
  if (data[12] !== 0) throw new FormatError('it is interlaced, which is not supported; save it without');
  if (!DEPTHS[header.colour]?.includes(header.depth) || !header.width || !header.height) throw damaged();
  return header;
}

function decode(header: Header, colours: Colours, packed: Buffer, maxBytes: number): Tensor {
  const { width, height, depth, colour } = header;
  const channels = CHANNELS[colour]!;
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const total = (rowBytes + 1) * height;
  if (total > maxBytes || width * height * channels * (depth === 16 ? 2 : 1) > maxBytes)
    throw new FormatError(`its ${width}×${height} pixels take more than the allowed ${maxBytes} bytes`);
  let raw: Buffer;
  try {
    raw = inflateSync(packed, { maxOutputLength: total });
  } catch (cause) {
    throw new FormatError('its pixels are damaged', { cause });
  }
  if (raw.length !== total) throw new FormatError('it ends before its picture does');
  unfilter(raw, rowBytes, height, Math.max(1, (channels * depth) >> 3));
  const samples = depth === 16 ? wideSamples(raw, rowBytes, height) : byteSamples(raw, header, rowBytes);
  if (colour === PALETTE) return coloured(samples, colours, header);
  const shape = channels === 1 ? [height, width] : [height, width, channels];
  return { dtype: depth === 16 ? 'uint16' : 'uint8', shape, data: samples };
}

/** Undoes the filter of each row in place; each row begins with the number of its filter. */
function unfilter(raw: Buffer, rowBytes: number, height: number, pixelBytes: number): void {
  for (let row = 0; row < height; row++) {
    const start = row * (rowBytes + 1) + 1;
    const filter = raw[start - 1]!;
    if (filter > 4) throw new FormatError('its pixels are damaged');
    for (let i = 0; i < rowBytes; i++) {
      const left = i >= pixelBytes ? raw[start + i - pixelBytes]! : 0;
      const up = row > 0 ? raw[start + i - rowBytes - 1]! : 0;
      const corner = row > 0 && i >= pixelBytes ? raw[start + i - rowBytes - 1 - pixelBytes]! : 0;
      raw[start + i] = (raw[start + i]! + predicted(filter, left, up, corner)) & 0xff;
    }
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 2) return filter === 0 ? 0 : left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

/** Samples of 1 to 8 bits, a byte each. They keep their values: a picture of 1 bit has zeros and ones. */
function byteSamples(raw: Buffer, { width, height, depth, colour }: Header, rowBytes: number): Uint8Array {
  const perRow = width * CHANNELS[colour]!;
  const out = new Uint8Array(perRow * height);
  const mask = (1 << depth) - 1;
  for (let row = 0; row < height; row++) {
    const start = row * (rowBytes + 1) + 1;
    for (let i = 0; i < perRow; i++) {
      const bit = i * depth;
      out[row * perRow + i] = (raw[start + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask;
    }
  }
  return out;
}

function wideSamples(raw: Buffer, rowBytes: number, height: number): Uint8Array {
  const out = Buffer.allocUnsafeSlow(rowBytes * height);
  for (let row = 0; row < height; row++)
    raw.copy(out, row * rowBytes, row * (rowBytes + 1) + 1, (row + 1) * (rowBytes + 1));
  return out.swap16();
}

/** Three channels, or four where a colour of the palette is transparent. */
function coloured(indices: Uint8Array, { palette, alpha }: Colours, { width, height }: Header): Tensor {
  const channels = alpha ? 4 : 3;
  const data = new Uint8Array(indices.length * channels);
  for (const [i, index] of indices.entries()) {
    if (!palette || index * 3 + 3 > palette.length) throw new FormatError('its palette is damaged');
    data.set(palette.subarray(index * 3, index * 3 + 3), i * channels);
    if (alpha) data[i * 4 + 3] = alpha[index] ?? 255;
  }
  return { dtype: 'uint8', shape: [height, width, channels], data };
}

function damaged(): FormatError {
  return new FormatError('its PNG header is damaged');
}
