import { type ComputedDtype, isComputed } from '@atoll-mcp/formats/dtypes';

/** ONNX's element types by their number. Those that a tensor here can hold have a dtype's name. */
const TYPES: Readonly<Record<number, string>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  4: 'uint16',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  8: 'string',
  9: 'bool',
  10: 'float16',
  11: 'float64',
  12: 'uint32',
  13: 'uint64',
  14: 'complex64',
  15: 'complex128',
  16: 'bfloat16',
  17: 'float8_e4m3fn',
  18: 'float8_e4m3fnuz',
  19: 'float8_e5m2',
  20: 'float8_e5m2fnuz',
  21: 'uint4',
  22: 'int4',
  23: 'float4e2m1',
};

export function elementTypeName(type: number): string {
  return TYPES[type] ?? `type ${type}`;
}

/** Whether the runtime takes and returns it as plain numbers. */
export function isRunnableType(type: string): type is ComputedDtype {
  return isComputed(type);
}
