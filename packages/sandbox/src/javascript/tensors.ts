import { isComputed } from '@atoll-mcp/formats/dtypes';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import { DTYPES, type Dtype, type Failure, type Tensor } from '../interface.ts';
import { tensorProblem } from '../tensor.ts';

/** The typed array that holds each dtype. */
const ARRAY_KINDS: Readonly<Record<Dtype, string>> = {
  bool: 'Uint8Array',
  int8: 'Int8Array',
  int16: 'Int16Array',
  int32: 'Int32Array',
  int64: 'BigInt64Array',
  uint8: 'Uint8Array',
  uint16: 'Uint16Array',
  uint32: 'Uint32Array',
  uint64: 'BigUint64Array',
  float16: 'Float16Array',
  float32: 'Float32Array',
  float64: 'Float64Array',
};

/** Puts `{dtype, shape, data}` into the inputs. `host` is what the prelude returned. */
export function putTensor(
  context: QuickJSContext,
  host: QuickJSHandle,
  inputs: QuickJSHandle,
  name: string,
  tensor: Tensor,
): void {
  const { dtype, shape, data } = tensor;
  const copy = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  using view = context.getProp(host, 'view');
  using kind = context.newString(ARRAY_KINDS[dtype]);
  using buffer = context.newArrayBuffer(copy as ArrayBuffer);
  using values = context.unwrapResult(context.callFunction(view, context.undefined, kind, buffer));
  using entry = context.newObject();
  using sizes = context.newArray();
  shape.forEach((size, index) => void context.setProp(sizes, index, context.newNumber(size)));
  using type = context.newString(dtype);
  context.setProp(entry, 'dtype', type);
  context.setProp(entry, 'shape', sizes);
  context.setProp(entry, 'data', values);
  context.setProp(inputs, name, entry);
}

/** Takes the result out; nothing that it says about itself is trusted. */
export function takeTensor(
  context: QuickJSContext,
  host: QuickJSHandle,
  result: QuickJSHandle,
  maxBytes: number,
): { failure: Failure } | { tensor: Tensor } {
  using describe = context.getProp(host, 'describe');
  const described = context.callFunction(describe, context.undefined, result);
  if (described.error) {
    described.error.dispose();
    return refused('predict must return {dtype, shape, data}');
  }
  using description = described.value;
  const { problem, dtype, shape, kind, bytes } = parse(context.getString(description));
  if (typeof problem === 'string') return refused(`${problem}; it must return {dtype, shape, data: TypedArray}`);
  if (!isComputed(dtype)) return refused(`dtype must be one of ${DTYPES.join(', ')}`);
  const wanted = ARRAY_KINDS[dtype];
  if (typeof kind !== 'string' || typeof bytes !== 'number') return refused('data must be a typed array');
  if (kind !== wanted) return refused(`data of ${dtype} must be a ${wanted}, not a ${kind}`);
  if (bytes > maxBytes) return refused(`predict returned ${bytes} bytes; the limit is ${maxBytes}`);

  using take = context.getProp(host, 'bytes');
  const taken = context.callFunction(take, context.undefined, result);
  if (taken.error) {
    taken.error.dispose();
    return refused('the result changed while it was read');
  }
  using buffer = taken.value;
  using view = context.getArrayBuffer(buffer);
  const tensor = { dtype, shape, data: new Uint8Array(view.value) } as Tensor;
  const wrong = tensorProblem(tensor);
  return wrong ? refused(wrong) : { tensor };
}

function parse(text: string): Record<'problem' | 'dtype' | 'shape' | 'kind' | 'bytes', unknown> {
  try {
    return Object(JSON.parse(text)) as ReturnType<typeof parse>;
  } catch {
    // The code can change what its own objects are as JSON, even to nothing.
    return { problem: 'predict returned what is not JSON', dtype: 0, shape: 0, kind: 0, bytes: 0 };
  }
}

const refused = (message: string) => ({
  failure: { kind: 'refused', message: `The result is not a tensor: ${message}` } as const,
});
