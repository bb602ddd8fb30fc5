import { bytesOf, countOf, isDtype, MAX_DIMENSIONS, type NamedTensor, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { entryOf, sizeOf } from '../onnx/onnx-model.ts';
import { elementTypeName } from '../onnx/onnx-types.ts';
import { type Field, fieldsOf, integerOf, integersIn, messageOf, textOf } from '../onnx/protobuf.ts';
import { allocate, asBytes } from '../values/elements.ts';
import type { TensorFormat } from './format.ts';

const GRAPH = 7;
const INITIALIZER = 5;

/** The weights in an ONNX model, each under its name there. */
export const onnxInitializers: TensorFormat = {
  extensions: ['.onnx'],
  read(bytes) {
    const graphs = [...fieldsOf(bytes)].filter(({ number }) => number === GRAPH);
    const tensors = graphs.flatMap((graph) =>
      [...fieldsOf(messageOf(graph))]
        .filter(({ number }) => number === INITIALIZER)
        .map((field): NamedTensor => tensorOf(messageOf(field))),
    );
    if (tensors.length === 0) throw new FormatError('it is not an ONNX model with initializers');
    return { tensors };
  },
};

function tensorOf(message: Uint8Array): { key: string; tensor: Tensor } {
  const fields = [...fieldsOf(message)];
  const shape = fields
    .filter(({ number }) => number === 1)
    .flatMap(integersIn)
    .map(sizeOf);
  const type = elementTypeName(sizeOf(fields.filter(({ number }) => number === 2).map(integerOf)[0] ?? 0n));
  const key = fields.filter(({ number }) => number === 8).map(textOf)[0] ?? '';
  const location = fields.filter(({ number }) => number === 13).map((field) => entryOf(messageOf(field)))[0];
  if (location) throw new FormatError(`the values of '${key}' are in another file; import_model takes such models`);
  if (!isDtype(type)) throw new FormatError(`'${key}': its type ${type} cannot be stored`);
  if (shape.length > MAX_DIMENSIONS || !Number.isSafeInteger(countOf(shape) * 8))
    throw new FormatError(`the shape of '${key}' is out of all bounds`);
  const raw = fields.find(({ number }) => number === 9);
  // Without raw bytes, a bfloat16 is the integer that its bits are.
  const data = raw ? messageOf(raw) : listed(fields, type, countOf(shape), key);
  if (data.byteLength !== bytesOf(type, shape)) throw new FormatError(`the size of '${key}' does not fit its shape`);
  return { key, tensor: { dtype: type, shape, data } };
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
