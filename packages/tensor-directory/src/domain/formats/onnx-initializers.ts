import { bytesOf, countOf, isDtype, MAX_DIMENSIONS, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError, UnstorableError } from '@atoll-mcp/formats/format-error';
import { entryOf, sizeOf } from '../onnx/onnx-model.ts';
import { elementTypeName } from '../onnx/onnx-types.ts';
import { type Field, fieldsOf, integerOf, integersIn, messageOf, textOf } from '../onnx/protobuf.ts';
import { allocate, asBytes } from '../values/elements.ts';
import { collectTensors, type TensorFormat } from './format.ts';

const GRAPH = 7;
const INITIALIZER = 5;
const SPARSE_INITIALIZER = 15;

/** The weights in an ONNX model, each under its name there. */
export const onnxInitializers: TensorFormat = {
  extensions: ['.onnx'],
  read(bytes) {
    const graphs = [...fieldsOf(bytes)].filter(({ number }) => number === GRAPH);
    const fields = graphs.flatMap((graph) => [...fieldsOf(messageOf(graph))]);
    const arrays = fields
      .filter(({ number }) => number === INITIALIZER || number === SPARSE_INITIALIZER)
      .map((field) => initializerOf(messageOf(field), field.number === SPARSE_INITIALIZER));
    return collectTensors(arrays, 'it is not an ONNX model with initializers');
  },
};

/** A sparse one is a message whose first field holds its values, under its name. */
function initializerOf(message: Uint8Array, isSparse: boolean): { key: string; read: () => Tensor } {
  const fields = [...fieldsOf(message)];
  if (!isSparse) {
    const key = fields.filter(({ number }) => number === 8).map(textOf)[0] ?? '';
    return { key, read: () => tensorOf(key, fields) };
  }
  const values = fields.find(({ number }) => number === 1);
  const { key } = values ? initializerOf(messageOf(values), false) : { key: '' };
  return {
    key,
    read: () => {
      throw new UnstorableError('sparse', `'${key}' is sparse, which cannot be stored`);
    },
  };
}

function tensorOf(key: string, fields: readonly Field[]): Tensor {
  const shape = fields
    .filter(({ number }) => number === 1)
    .flatMap(integersIn)
    .map(sizeOf);
  const type = elementTypeName(sizeOf(fields.filter(({ number }) => number === 2).map(integerOf)[0] ?? 0n));
  const location = fields.filter(({ number }) => number === 13).map((field) => entryOf(messageOf(field)))[0];
  if (location) throw new FormatError(`the values of '${key}' are in another file; import_model takes such models`);
  if (!isDtype(type)) throw new UnstorableError(type, `'${key}': its type ${type} cannot be stored`);
  if (shape.length > MAX_DIMENSIONS || !Number.isSafeInteger(countOf(shape) * 8))
    throw new FormatError(`the shape of '${key}' is out of all bounds`);
  const raw = fields.find(({ number }) => number === 9);
  // Without raw bytes, a bfloat16 is the integer that its bits are.
  const data = raw ? messageOf(raw) : listed(fields, type, countOf(shape), key);
  if (data.byteLength !== bytesOf(type, shape)) throw new FormatError(`the size of '${key}' does not fit its shape`);
  return { dtype: type, shape, data };
}

/** Values that are fields of their own instead of bytes: 4 float, 5 int32 and what is smaller, 7 int64, 10 double, 11 uint64. */
function listed(fields: readonly Field[], dtype: Tensor['dtype'], count: number, key: string): Uint8Array {
  const own = { float32: 4, float64: 10 }[dtype as string];
  if (own) return Buffer.concat(fields.filter(({ number }) => number === own).map(messageOf));
  const integers = fields.filter(({ number }) => [5, 7, 11].includes(number)).flatMap(integersIn);
  if (integers.length !== count) throw new FormatError(`the size of '${key}' does not fit its shape`);
  const elements = allocate(dtype, count);
  const isWide = elements instanceof BigInt64Array || elements instanceof BigUint64Array;
  if (isWide) for (const [i, value] of integers.entries()) elements[i] = value;
  else for (const [i, value] of integers.entries()) elements[i] = Number(value);
  return asBytes(elements);
}
