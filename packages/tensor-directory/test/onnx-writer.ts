import { writeBytes } from '../src/domain/onnx/protobuf.ts';

// Just enough of ONNX's protobuf to write small models, field by field as onnx.proto numbers them.

const text = (number: number, value: string) => writeBytes(number, [Buffer.from(value)]);
const join = (parts: Uint8Array[][]) => parts.flat();

export function integer(number: number, value: number): Uint8Array[] {
  return [varint(number * 8), varint(value)];
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest ? low | 0x80 : low);
    if (!rest) return Uint8Array.from(bytes);
  }
}

export interface NodeSpec {
  readonly op: string;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly domain?: string;
  readonly attributes?: readonly Uint8Array[][];
}

export interface ValueSpec {
  readonly name: string;
  /** 1 float32, 7 int64, 10 float16, 11 float64. */
  readonly type: number;
  readonly shape: readonly (number | string)[];
}

export interface TensorSpec {
  readonly name: string;
  readonly type: number;
  readonly shape: readonly number[];
  readonly raw?: Uint8Array;
  readonly external?: Readonly<Record<string, string>>;
}

export interface ModelSpec {
  readonly nodes: readonly NodeSpec[];
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  readonly initializers?: readonly TensorSpec[];
  readonly opset?: number;
  readonly domains?: readonly string[];
}

export function onnxModel(spec: ModelSpec): Buffer {
  const opsets = [['', spec.opset ?? 17] as const, ...(spec.domains ?? []).map((domain) => [domain, 1] as const)];
  return Buffer.concat([
    ...integer(1, 8),
    ...text(2, 'test'),
    ...writeBytes(7, graph(spec)),
    ...join(opsets.map(([domain, version]) => writeBytes(8, [...text(1, domain), ...integer(2, version)]))),
  ]);
}

export function graph({ nodes, inputs, outputs, initializers = [] }: ModelSpec): Uint8Array[] {
  return [
    ...join(nodes.map((node) => writeBytes(1, nodeBytes(node)))),
    ...text(2, 'graph'),
    ...join(initializers.map((tensor) => writeBytes(5, tensorBytes(tensor)))),
    ...join(inputs.map((value) => writeBytes(11, valueBytes(value)))),
    ...join(outputs.map((value) => writeBytes(12, valueBytes(value)))),
  ];
}

function nodeBytes({ op, inputs = [], outputs = [], domain, attributes = [] }: NodeSpec): Uint8Array[] {
  return [
    ...join(inputs.map((input) => text(1, input))),
    ...join(outputs.map((output) => text(2, output))),
    ...text(4, op),
    ...join(attributes.map((attribute) => writeBytes(5, attribute))),
    ...(domain ? text(7, domain) : []),
  ];
}

export function tensorBytes({ name, type, shape, raw, external }: TensorSpec): Uint8Array[] {
  const entries = Object.entries(external ?? {});
  return [
    ...join(shape.map((size) => integer(1, size))),
    ...integer(2, type),
    ...text(8, name),
    ...(raw ? writeBytes(9, [raw]) : []),
    ...join(entries.map(([key, value]) => writeBytes(13, [...text(1, key), ...text(2, value)]))),
    ...(external ? integer(14, 1) : []),
  ];
}

/** A subgraph or an integer as an attribute of a node. */
export const graphAttribute = (name: string, body: Uint8Array[]) => [
  ...text(1, name),
  ...writeBytes(6, body),
  ...integer(20, 5),
];
export const integerAttribute = (name: string, value: number) => [
  ...text(1, name),
  ...integer(3, value),
  ...integer(20, 2),
];

function valueBytes({ name, type, shape }: ValueSpec): Uint8Array[] {
  const dims = join(shape.map((size) => writeBytes(1, typeof size === 'string' ? text(2, size) : integer(1, size))));
  return [...text(1, name), ...writeBytes(2, writeBytes(1, [...integer(1, type), ...writeBytes(2, dims)]))];
}
