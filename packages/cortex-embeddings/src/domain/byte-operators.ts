import { quantised } from './matrix.ts';
import type { Range } from './minilm-ranges.ts';
import { elementType, type GraphWriter } from './onnx-writer.ts';

/** Values as bytes, with the names of their step and of the byte that stands for zero. */
export interface Bytes {
  readonly name: string;
  readonly step: string;
  readonly zero: string;
}

// AVX2 adds pairs of products in 16 bits. With weights of at most 63 the sums cannot saturate.
const INT8_RANGE = 63;

/** Writes what an int8 graph is made of; each method returns the name of what it wrote. */
export class ByteOperators {
  readonly #graph: GraphWriter;

  constructor(graph: GraphWriter) {
    this.#graph = graph;
  }

  /** The input in 255 equal steps. */
  bytes(input: string, [lowest, highest]: Range, name: string): Bytes {
    const size = (highest - lowest) / 255;
    const step = this.scalar(`${name}_step`, size);
    const zero = this.zeroByte(`${name}_zero`, Math.round(-lowest / size));
    return { name: this.#graph.node('QuantizeLinear', [input, step, zero], [`${name}_bytes`]), step, zero };
  }

  /** Bytes times a matrix, whose columns have a scale each. */
  product({ name: input, step, zero }: Bytes, matrix: Float32Array, columns: number, name: string): string {
    const rows = matrix.length / columns;
    const { values, scales } = quantised(matrix, rows, columns, INT8_RANGE);
    const weight = this.#graph.constant(`${name}_weight`, elementType.int8, [rows, columns], values);
    const scale = this.#graph.floats(`${name}_weight_scale`, scales);
    const options = { domain: 'com.microsoft' };
    return this.#graph.node('MatMulIntegerToFloat', [input, weight, step, scale, zero], [`${name}_product`], options);
  }

  cast(from: string, to: string, type: number): string {
    return this.#graph.node('Cast', [from], [to], { attributes: { to: { int: type } } });
  }

  scalar(name: string, value: number): string {
    return this.#graph.constant(name, elementType.float, [], Float32Array.of(value));
  }

  zeroByte(name: string, value: number): string {
    return this.#graph.constant(name, elementType.uint8, [], Uint8Array.of(value));
  }

  integers(name: string, values: readonly number[]): string {
    return this.#graph.constant(name, elementType.int64, [values.length], BigInt64Array.from(values.map(BigInt)));
  }
}
