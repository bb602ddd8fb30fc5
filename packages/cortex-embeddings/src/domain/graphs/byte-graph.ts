import { quantised, rowsTimes } from './matrix.ts';
import type { Range } from './minilm-ranges.ts';
import { elementType, GraphWriter } from './onnx-writer.ts';

/** Values as bytes: their step, and the name of the byte that stands for zero. */
export interface Bytes {
  readonly name: string;
  readonly step: number;
  readonly zero: string;
  /** What each channel is still to be multiplied by; left out, it is 1. */
  readonly factors?: ArrayLike<number>;
}

/** Writes what an int8 graph is made of; each method returns the name of what it wrote. */
export class ByteGraph extends GraphWriter {
  #one: string | undefined;

  get one(): string {
    this.#one ??= this.scalar('one', 1);
    return this.#one;
  }

  /** The input in 255 equal steps. */
  bytes(input: string, [lowest, highest]: Range, name: string): Bytes {
    const step = (highest - lowest) / 255;
    const zero = this.byte(`${name}_zero`, Math.round(-lowest / step));
    const inputs = [input, this.scalar(`${name}_step`, step), zero];
    return { name: this.node('QuantizeLinear', inputs, [`${name}_bytes`]), step, zero };
  }

  /**
   * Bytes times a matrix, and a bias. Scales are so short that a sum of products times its scale is exact: whether a
   * machine adds the bias in the same operation or in one of its own, the result is the same.
   */
  product({ name: input, step, zero, factors }: Bytes, matrix: Float32Array, bias: ArrayLike<number>, name: string) {
    const columns = bias.length;
    const rows = matrix.length / columns;
    const scaled = factors ? rowsTimes(matrix, columns, factors) : matrix;
    const { values, scales } = quantised(scaled, columns, step);
    const weight = this.constant(`${name}_weight`, elementType.int8, [rows, columns], values);
    const inputs = [input, weight, this.one, this.floats(`${name}_weight_scale`, scales), zero, ''];
    return this.node('MatMulIntegerToFloat', [...inputs, this.floats(`${name}_bias`, bias)], [`${name}_product`], {
      domain: 'com.microsoft',
    });
  }

  cast(from: string, to: string, type: number): string {
    return this.node('Cast', [from], [to], { attributes: { to: { int: type } } });
  }

  scalar(name: string, value: number): string {
    return this.constant(name, elementType.float, [], Float32Array.of(value));
  }

  byte(name: string, value: number): string {
    return this.constant(name, elementType.uint8, [], Uint8Array.of(value));
  }

  integers(name: string, values: readonly number[]): string {
    return this.constant(name, elementType.int64, [values.length], BigInt64Array.from(values.map(BigInt)));
  }
}
