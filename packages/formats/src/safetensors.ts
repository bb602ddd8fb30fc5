import { bytesOf, type Dtype, MAX_DIMENSIONS, type NamedTensor, type Tensor } from './dtypes.ts';
import { FormatError, UnstorableError } from './format-error.ts';
import { complexPairs } from './npy.ts';

/** The format's own cap, so that a forged length costs nothing. */
const MAX_HEADER_BYTES = 100_000_000;

const NAMES: Readonly<Record<Dtype, string>> = {
  bool: 'BOOL',
  int8: 'I8',
  int16: 'I16',
  int32: 'I32',
  int64: 'I64',
  uint8: 'U8',
  uint16: 'U16',
  uint32: 'U32',
  uint64: 'U64',
  float16: 'F16',
  float32: 'F32',
  float64: 'F64',
  bfloat16: 'BF16',
  float8_e4m3fn: 'F8_E4M3',
  float8_e5m2: 'F8_E5M2',
};

export function safetensorsFile(
  key: string,
  { dtype, shape, data }: Tensor,
  metadata: Record<string, string>,
): Uint8Array[] {
  const entry = { dtype: NAMES[dtype], shape, data_offsets: [0, data.byteLength] };
  const json = Buffer.from(JSON.stringify({ __metadata__: metadata, [key]: entry }));
  const header = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  header.writeBigUInt64LE(BigInt(header.length - 8), 0);
  json.copy(header, 8);
  return [header, data];
}

/** The tensors in the order of their bytes, which are not copied. */
export function parseSafetensors(file: Uint8Array): (NamedTensor & { readonly key: string })[] {
  return safetensorsEntries(file).map(({ key, read }) => ({ key, tensor: read() }));
}

/** The same, each to be read by itself: reading one that no tensor can hold throws an `UnstorableError`. */
export function safetensorsEntries(file: Uint8Array): { readonly key: string; readonly read: () => Tensor }[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < 8) throw new FormatError('it is not a safetensors file');
  const length = bytes.readBigUInt64LE(0);
  if (length > MAX_HEADER_BYTES || Number(length) + 8 > bytes.length)
    throw new FormatError('its safetensors header is damaged');
  const body = bytes.subarray(8 + Number(length));
  const entries = Object.entries(headerOf(bytes.toString('utf8', 8, 8 + Number(length))))
    .filter(([key]) => key !== '__metadata__')
    .map(([key, entry]) => checked(key, entry))
    // An empty tensor shares its place with the one that begins there, and comes first.
    .sort((a, b) => a.begin - b.begin || a.end - b.end);
  if (entries.length === 0) throw new FormatError('it holds no tensors');
  let at = 0;
  for (const { key, begin, end } of entries) {
    if (begin !== at || end < begin)
      throw new FormatError(`the place of ${JSON.stringify(key)} leaves a hole or overlaps another`);
    at = end;
  }
  if (at !== body.length) throw new FormatError('it is longer or shorter than its header says');
  return entries.map(({ key, name, shape, begin, end }) => ({
    key,
    read: () => tensorOf(key, name, shape, body.subarray(begin, end)),
  }));
}

function headerOf(text: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(text);
    if (header !== null && typeof header === 'object' && !Array.isArray(header))
      return header as Record<string, unknown>;
  } catch (cause) {
    throw new FormatError('its safetensors header is damaged', { cause });
  }
  throw new FormatError('its safetensors header is damaged');
}

function checked(
  key: string,
  entry: unknown,
): { key: string; name: string; shape: number[]; begin: number; end: number } {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const sizes = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0);
  if (
    typeof dtype !== 'string' ||
    !sizes(shape) ||
    !sizes(offsets) ||
    offsets.length !== 2 ||
    shape.length > MAX_DIMENSIONS
  ) {
    throw new FormatError(`its entry ${JSON.stringify(key)} is damaged`);
  }
  return { key, name: dtype, shape, begin: offsets[0]!, end: offsets[1]! };
}

function tensorOf(key: string, name: string, shape: readonly number[], data: Uint8Array): Tensor {
  if (name === 'C64') {
    if (bytesOf('float32', shape) * 2 !== data.byteLength)
      throw new FormatError(`the size of ${JSON.stringify(key)} does not fit its shape`);
    return complexPairs('float32', shape, data);
  }
  const dtype = (Object.keys(NAMES) as Dtype[]).find((candidate) => NAMES[candidate] === name);
  if (!dtype) {
    const holds = `type ${name.slice(0, 40)}`;
    throw new UnstorableError(holds, `${JSON.stringify(key)}: ${holds} cannot be stored`);
  }
  if (bytesOf(dtype, shape) !== data.byteLength)
    throw new FormatError(`the size of ${JSON.stringify(key)} does not fit its shape`);
  return { dtype, shape, data };
}
