import { inflateRawSync } from 'node:zlib';

/** An array of an `.npz` file: its values as the bytes of the file, little-endian and row by row. */
export interface NpzArray {
  /** NumPy's name of the element type, such as `<f4` or `|u1`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Buffer<ArrayBuffer>;
}

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;

/** Reads the arrays of an `.npz` file, each when it is asked for. */
export function readNpz(file: Buffer): (name: string) => NpzArray {
  const entries = directory(file);
  return (name) => {
    const entry = entries.get(`${name}.npy`);
    if (!entry) throw new Error(`The file holds no array "${name}"`);
    return parseNpy(contents(file, entry));
  };
}

/** The values of an array of float32, wherever its bytes lie. */
export function floatsOf({ dtype, bytes }: NpzArray): Float32Array<ArrayBuffer> {
  if (dtype !== '<f4') throw new Error(`The array is of ${dtype}, not of float32`);
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

interface Entry {
  readonly method: number;
  readonly size: number;
  readonly offset: number;
}

function directory(file: Buffer): Map<string, Entry> {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || file.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('The file is not a zip archive');
  const entries = new Map<string, Entry>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    if (file.readUInt32LE(at) !== ENTRY) throw new Error('The directory of the zip archive is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => file.readUInt16LE(at + field));
    const name = file.toString('utf8', at + 46, at + 46 + nameLength!);
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      size: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    });
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  return entries;
}

function contents(file: Buffer, { method, size, offset }: Entry): Buffer {
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  const bytes = file.subarray(start, start + size);
  return method === STORED ? bytes : inflateRawSync(bytes);
}

function parseNpy(file: Buffer): NpzArray {
  const isFirstVersion = file[6] === 1;
  const headerStart = isFirstVersion ? 10 : 12;
  const start = headerStart + (isFirstVersion ? file.readUInt16LE(8) : file.readUInt32LE(8));
  const header = file.toString('latin1', headerStart, start);
  const dtype = /'descr': '([^']+)'/.exec(header)?.[1];
  const shape = /'shape': \(([^)]*)\)/.exec(header)?.[1];
  if (dtype === undefined || shape === undefined || !header.includes("'fortran_order': False")) {
    throw new Error('An array of the file has a header that cannot be read');
  }
  const dims = shape
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  return { dtype, shape: dims, bytes: Buffer.from(file.subarray(start)) };
}
