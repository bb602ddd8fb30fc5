import {
  bytesOf,
  countOf,
  DTYPES,
  type Dtype,
  FACTS,
  isDtype,
  MAX_DIMENSIONS,
  shapeText,
  type Tensor,
} from './dtypes.ts';
import { FormatError, UnstorableError } from './format-error.ts';

const MAGIC = '\x93NUMPY';
const ALIGNMENT = 64;
/** A longer header than this is no array's. */
const MAX_HEADER_BYTES = 65_536;

export interface NpyHeader {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly bigEndian: boolean;
  readonly fortranOrder: boolean;
  /** Of which the dtype is that of both parts; the shape is the file's. */
  readonly isComplex: boolean;
  /** Where the values begin. */
  readonly dataOffset: number;
}

/** The header that NumPy itself writes: the same dtype and shape always give the same bytes. */
export function npyHeader(dtype: Dtype, shape: readonly number[]): Uint8Array {
  const dictionary = `{'descr': '${FACTS[dtype].descr}', 'fortran_order': False, 'shape': ${shapeText(shape)}, }`;
  const total = Math.ceil((MAGIC.length + 4 + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const header = Buffer.alloc(total, ' ');
  header.write(MAGIC, 0, 'latin1');
  header.writeUInt8(1, 6);
  header.writeUInt8(0, 7);
  header.writeUInt16LE(total - 10, 8);
  header.write(dictionary, 10, 'latin1');
  header.write('\n', total - 1);
  return header;
}

export interface NpyOptions {
  /** Reads complex numbers as pairs of real and imaginary part, on an axis of their own behind the others. */
  readonly complexAsPairs?: boolean;
}

/** Reads the first bytes of a file; `head` need not hold more than the header. */
export function parseNpyHeader(head: Uint8Array, { complexAsPairs = false }: NpyOptions = {}): NpyHeader {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length < 10 || bytes.toString('latin1', 0, 6) !== MAGIC) throw new FormatError('it is not an .npy file');
  const wide = bytes[6]! >= 2;
  if (bytes[6]! > 3 || (wide && bytes.length < 12)) throw new FormatError('its .npy version is not known');
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const dataOffset = (wide ? 12 : 10) + length;
  if (length > MAX_HEADER_BYTES || bytes.length < dataOffset) throw new FormatError('its .npy header is damaged');
  const text = bytes.toString('utf8', wide ? 12 : 10, dataOffset);
  const descr = /'descr'\s*:\s*(?:'([^']*)'|(\[))/.exec(text);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text);
  const sizes = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(text);
  if (!descr || !order || !sizes) throw new FormatError('its .npy header is damaged');
  const shape = [...sizes[1]!.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  if (shape.length > MAX_DIMENSIONS)
    throw new FormatError(`it has ${shape.length} dimensions; at most ${MAX_DIMENSIONS} are allowed`);
  if (![...shape, countOf(shape) * 16].every(Number.isSafeInteger))
    throw new FormatError('its shape is out of all bounds');
  return { ...elementType(descr[1], complexAsPairs), shape, fortranOrder: order[1] === 'True', dataOffset };
}

export function parseNpy(file: Uint8Array, options: NpyOptions = {}): Tensor {
  const header = parseNpyHeader(file, options);
  const size = bytesOf(header.dtype, header.shape) * (header.isComplex ? 2 : 1);
  if (file.byteLength < header.dataOffset + size) throw new FormatError('it ends before its values do');
  return inRowOrder(header, file.subarray(header.dataOffset, header.dataOffset + size));
}

export function npyFile({ dtype, shape, data }: Tensor): Uint8Array[] {
  return [npyHeader(dtype, shape), data];
}

/** What other letters of NumPy stand for. */
const HOLDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ U: 'text', S: 'text', M: 'dates', m: 'durations', V: 'raw bytes' }),
);

const COMPLEX: ReadonlyMap<string, Dtype> = new Map(Object.entries({ c8: 'float32', c16: 'float64' }));

function elementType(
  descr: string | undefined,
  complexAsPairs: boolean,
): { dtype: Dtype; bigEndian: boolean; isComplex: boolean } {
  if (descr === undefined)
    throw new UnstorableError('records', 'it holds records of several fields; only plain numbers can be stored');
  if (isDtype(descr) && FACTS[descr].descr === descr) return { dtype: descr, bigEndian: false, isComplex: false };
  const [, order, kind, digits] = /^([<>|=]?)([a-zA-Z])(\d*)(?:\[\w+\])?$/.exec(descr) ?? [];
  const part = COMPLEX.get(`${kind}${digits}`);
  if (part && complexAsPairs) return { dtype: part, bigEndian: order === '>', isComplex: true };
  if (kind === 'c')
    throw new UnstorableError(
      'complex numbers',
      'it holds complex numbers, which cannot be stored; save the real and imaginary parts as two tensors',
    );
  if (kind === 'O') throw new FormatError('it holds Python objects, which are never loaded');
  const dtype = DTYPES.find((name) => FACTS[name].descr.slice(1) === `${kind}${digits}`);
  if (!dtype)
    throw new UnstorableError(
      HOLDS.get(kind ?? '') ?? `type ${descr.slice(0, 40)}`,
      `its element type ${JSON.stringify(descr)} cannot be stored; these can: ${DTYPES.join(', ')}`,
    );
  return { dtype, bigEndian: order === '>', isComplex: false };
}

/** Complex numbers as they lie in files, real and imaginary part by turns. */
export function complexPairs(dtype: Dtype, shape: readonly number[], data: Uint8Array): Tensor {
  if (shape.length === MAX_DIMENSIONS)
    throw new FormatError(
      `it has complex numbers in ${shape.length} dimensions; at most ${MAX_DIMENSIONS - 1} are allowed`,
    );
  return { dtype, shape: [...shape, 2], data, isComplex: true };
}

/** Big-endian and column-major files become what everything else here relies on. */
function inRowOrder({ dtype, shape, bigEndian, fortranOrder, isComplex }: NpyHeader, raw: Uint8Array): Tensor {
  let data = raw;
  const size = FACTS[dtype].bytes;
  if (bigEndian && size > 1) {
    const copy = Buffer.from(data);
    data = size === 2 ? copy.swap16() : size === 4 ? copy.swap32() : copy.swap64();
  }
  if (fortranOrder && shape.length > 1) data = transposed(data, shape, isComplex ? 2 * size : size);
  return isComplex ? complexPairs(dtype, shape, data) : { dtype, shape, data };
}

/** Column-major values in row-major order. */
export function transposed(data: Uint8Array, shape: readonly number[], size: number): Uint8Array {
  const out = new Uint8Array(data.byteLength);
  const strides: number[] = [];
  shape.reduce((step, length, axis) => {
    strides[axis] = step;
    return step * length;
  }, size);
  const place = new Array<number>(shape.length).fill(0);
  let from = 0;
  for (let to = 0; to < out.length; to += size) {
    for (let byte = 0; byte < size; byte++) out[to + byte] = data[from + byte]!;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place[axis]!++;
      from += strides[axis]!;
      if (place[axis]! < shape[axis]!) break;
      from -= strides[axis]! * shape[axis]!;
      place[axis] = 0;
    }
  }
  return out;
}
