import { inflateSync } from 'node:zlib';
import {
  bytesOf,
  countOf,
  type Dtype,
  FACTS,
  MAX_DIMENSIONS,
  type NamedTensor,
  type Tensor,
} from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { complexPairs, transposed } from '@atoll-mcp/formats/npy';
import { allocate, asBytes, elementsOf } from '../values/elements.ts';
import type { TensorFormat } from './format.ts';

const HEADER_BYTES = 128;
const MATRIX = 14;
const COMPRESSED = 15;

/** How numbers lie in the file, by the number of their type. */
const STORED: Readonly<Record<number, Dtype>> = {
  1: 'int8',
  2: 'uint8',
  3: 'int16',
  4: 'uint16',
  5: 'int32',
  6: 'uint32',
  7: 'float32',
  9: 'float64',
  12: 'int64',
  13: 'uint64',
};

/** What a variable is in MATLAB, by the number of its class. */
const CLASSES: Readonly<Record<number, Dtype>> = {
  6: 'float64',
  7: 'float32',
  8: 'int8',
  9: 'uint8',
  10: 'int16',
  11: 'uint16',
  12: 'int32',
  13: 'uint32',
  14: 'int64',
  15: 'uint64',
};
const OTHER_CLASSES: Readonly<Record<number, string>> = { 1: 'cell', 2: 'struct', 3: 'object', 4: 'char', 5: 'sparse' };

interface Element {
  readonly type: number;
  readonly data: Buffer;
}

/** MATLAB's files up to version 7; what is not an array of numbers is skipped and named. */
export const mat: TensorFormat = {
  extensions: ['.mat'],
  read(bytes, { maxBytes }) {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    checkHeader(file);
    const tensors: NamedTensor[] = [];
    const skipped: string[] = [];
    let left = maxBytes;
    for (const element of elements(file.subarray(HEADER_BYTES))) {
      const matrix = element.type === COMPRESSED ? inflated(element.data, left) : element;
      if (matrix.type !== MATRIX) throw damaged();
      const found = variable(matrix.data);
      if (found.tensor) {
        left -= found.tensor.data.byteLength;
        if (left < 0) throw new FormatError(`its arrays take more than the allowed ${maxBytes} bytes`);
        tensors.push({ key: found.name, tensor: found.tensor });
      } else skipped.push(`${found.name} (${found.skipped})`);
    }
    if (tensors.length === 0) throw new FormatError('it holds no arrays of numbers');
    return { tensors, skipped };
  },
};

function checkHeader(file: Buffer): void {
  if (file.toString('latin1', 0, 10) === 'MATLAB 7.3')
    throw new FormatError('it is a file of MATLAB 7.3, which is HDF5; save it with -v7');
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, 6) !== 'MATLAB')
    throw new FormatError('it is not a MATLAB file of version 5 to 7');
  const order = file.toString('latin1', 126, 128);
  if (order === 'MI') throw new FormatError('its values are big-endian, which is not supported');
  if (order !== 'IM' || file.readUInt16LE(124) !== 0x0100) throw damaged();
}

/** The data elements in a part of the file, each padded to 8 bytes unless it is compressed or short. */
function* elements(part: Buffer): Generator<Element> {
  for (let at = 0; at + 8 <= part.length; ) {
    const first = part.readUInt32LE(at);
    const shortBytes = first >>> 16;
    if (shortBytes > 0) {
      if (shortBytes > 4) throw damaged();
      yield { type: first & 0xffff, data: part.subarray(at + 4, at + 4 + shortBytes) };
      at += 8;
      continue;
    }
    const length = part.readUInt32LE(at + 4);
    if (length > part.length - at - 8) throw damaged();
    yield { type: first, data: part.subarray(at + 8, at + 8 + length) };
    at += 8 + (first === COMPRESSED ? length : Math.ceil(length / 8) * 8);
  }
}

function inflated(packed: Buffer, maxBytes: number): Element {
  let content: Buffer;
  try {
    // Names, dimensions and tags come on top of the values.
    content = inflateSync(packed, { maxOutputLength: maxBytes + 65_536 });
  } catch (cause) {
    throw new FormatError('a variable in it is damaged, or larger than is allowed', { cause });
  }
  const [element] = elements(content);
  if (!element) throw damaged();
  return element;
}

function variable(matrix: Buffer): { name: string; tensor?: Tensor; skipped?: string } {
  const [flags, sizes, title, real, imaginary] = elements(matrix);
  if (!flags || flags.data.length < 8) throw damaged();
  const kind = flags.data[0]!;
  // An object has its class name where others have their sizes.
  if (kind === 3) return { name: title ? 'object' : '?', skipped: 'object' };
  if (!sizes || !title || sizes.type !== 5 || sizes.data.byteLength % 4 !== 0) throw damaged();
  const name = title.data.toString('utf8');
  const dtype = CLASSES[kind];
  if (!dtype) return { name, skipped: OTHER_CLASSES[kind] ?? `class ${kind}` };
  const isComplex = (flags.data[1]! & 8) !== 0 || imaginary !== undefined;
  const shape = [...new Int32Array(Uint8Array.from(sizes.data).buffer)];
  if (shape.length > MAX_DIMENSIONS || shape.some((size) => size < 0) || !Number.isSafeInteger(countOf(shape) * 16))
    throw new FormatError(`the shape of '${name}' is out of all bounds`);
  const isLogical = (flags.data[1]! & 2) !== 0;
  const type = isLogical ? 'bool' : dtype;
  const rows = (part: Element | undefined) =>
    transposed(converted(part, type, countOf(shape), name), shape, FACTS[type].bytes);
  if (!isComplex) return { name, tensor: { dtype: type, shape, data: rows(real) } };
  return { name, tensor: complexPairs(type, shape, interleaved(rows(real), rows(imaginary), FACTS[type].bytes)) };
}

/** MATLAB keeps all real parts and then all imaginary ones. */
function interleaved(real: Uint8Array, imaginary: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(real.byteLength * 2);
  for (let at = 0; at < real.byteLength; at += size) {
    out.set(real.subarray(at, at + size), at * 2);
    out.set(imaginary.subarray(at, at + size), at * 2 + size);
  }
  return out;
}

/** MATLAB stores doubles that are small integers as such. */
function converted(stored: Element | undefined, dtype: Dtype, count: number, name: string): Uint8Array {
  if (count === 0) return new Uint8Array(0);
  const type = stored && STORED[stored.type];
  if (!type) throw new FormatError(`'${name}' is damaged`);
  if (stored.data.byteLength !== bytesOf(type, [count]))
    throw new FormatError(`the size of '${name}' does not fit its shape`);
  if (type === dtype) return stored.data;
  const from = elementsOf(type, stored.data);
  const to = allocate(dtype, count);
  const isWide = to instanceof BigInt64Array || to instanceof BigUint64Array;
  if (isWide) for (let i = 0; i < count; i++) to[i] = BigInt(from[i]!);
  else for (let i = 0; i < count; i++) to[i] = dtype === 'bool' ? Number(from[i]! !== 0) : Number(from[i]);
  return asBytes(to);
}

function damaged(): FormatError {
  return new FormatError('it is damaged');
}
