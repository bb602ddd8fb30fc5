import { bytes, type Chunks, float, integer, message, text } from './protobuf.ts';

/** Element types, by their numbers in the ONNX specification. */
export const elementType = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10, double: 11 } as const;
export type ElementType = (typeof elementType)[keyof typeof elementType];

/** Integers and floats are different fields on the wire, so an attribute says which it is. */
export type Attribute = { readonly int: number } | { readonly ints: readonly number[] } | { readonly float: number };

interface NodeOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly domain?: string;
}

export interface Port {
  readonly name: string;
  readonly type: ElementType;
  /** A number, or the name of a dimension that is known only at run time. */
  readonly dims: readonly (number | string)[];
}

/** Collects nodes and constants of one graph. */
export class GraphWriter {
  readonly #nodes: Chunks[] = [];
  readonly #constants: Chunks[] = [];

  /** Adds a constant; returns its name. */
  constant(name: string, type: ElementType, dims: readonly number[], values: ArrayBufferView): string {
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#constants.push([
      ...dims.flatMap((dim) => integer(1, dim)),
      ...integer(2, type),
      ...text(8, name),
      ...bytes(9, data),
    ]);
    return name;
  }

  /** Adds a vector of floats; returns its name. */
  floats(name: string, values: ArrayLike<number>): string {
    return this.constant(name, elementType.float, [values.length], Float32Array.from(values));
  }

  /** Adds a node; returns the name of its first output. An empty input name leaves an optional input out. */
  node(
    operator: string,
    inputs: readonly string[],
    outputs: readonly [string, ...string[]],
    options: NodeOptions = {},
  ): string {
    this.#nodes.push([
      ...inputs.flatMap((name) => text(1, name)),
      ...outputs.flatMap((name) => text(2, name)),
      ...text(3, `${outputs[0]}/${operator}`),
      ...text(4, operator),
      ...Object.entries(options.attributes ?? {}).flatMap(([name, value]) => message(5, attribute(name, value))),
      ...(options.domain ? text(7, options.domain) : []),
    ]);
    return outputs[0];
  }

  /** The whole model as one buffer. */
  encode(model: {
    name: string;
    inputs: readonly Port[];
    outputs: readonly Port[];
    opsets: Readonly<Record<string, number>>;
  }): Buffer<ArrayBuffer> {
    const graph = [
      ...this.#nodes.flatMap((node) => message(1, node)),
      ...text(2, model.name),
      ...this.#constants.flatMap((constant) => message(5, constant)),
      ...model.inputs.flatMap((port) => message(11, valueInfo(port))),
      ...model.outputs.flatMap((port) => message(12, valueInfo(port))),
    ];
    const opsets = Object.entries(model.opsets).flatMap(([domain, version]) =>
      message(8, [...text(1, domain), ...integer(2, version)]),
    );
    return Buffer.concat([...integer(1, IR_VERSION), ...text(2, 'atoll'), ...message(7, graph), ...opsets]);
  }
}

const IR_VERSION = 8;
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

function attribute(name: string, value: Attribute): Chunks {
  if ('ints' in value) {
    return [...text(1, name), ...value.ints.flatMap((item) => integer(8, item)), ...integer(20, ATTRIBUTE_INTS)];
  }
  if ('int' in value) return [...text(1, name), ...integer(3, value.int), ...integer(20, ATTRIBUTE_INT)];
  return [...text(1, name), ...float(2, value.float), ...integer(20, ATTRIBUTE_FLOAT)];
}

function valueInfo({ name, type, dims }: Port): Chunks {
  const shape = dims.flatMap((dim) => message(1, typeof dim === 'string' ? text(2, dim) : integer(1, dim)));
  return [...text(1, name), ...message(2, message(1, [...integer(1, type), ...message(2, shape)]))];
}
