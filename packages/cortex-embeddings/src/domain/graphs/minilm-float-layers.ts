import type { HalfTensors } from '../safetensors.ts';
import { besides, transposed } from './matrix.ts';
import { minilm } from './minilm.ts';
import { type Attribute, elementType, type GraphWriter } from './onnx-writer.ts';

const { layers, heads, width, innerWidth } = minilm;
const MICROSOFT = 'com.microsoft';
const epsilon: Attribute = { float: 1e-12 };

/** The layers in fp32, with the fused operators of onnxruntime. */
export class FloatLayers {
  readonly #graph: GraphWriter;
  readonly #weights: HalfTensors;

  constructor(graph: GraphWriter, weights: HalfTensors) {
    this.#graph = graph;
    this.#weights = weights;
  }

  write(embedded: string, outputs: { pooled: string; unit: string }): void {
    const scale = this.#vector('embedded_scale', 'embeddings.LayerNorm.weight');
    const shift = this.#vector('embedded_shift', 'embeddings.LayerNorm.bias');
    // The fused operators want texts before tokens.
    const byText = this.#graph.node('Transpose', [embedded], ['by_text'], {
      attributes: { perm: { ints: [1, 0, 2] } },
    });
    let state = this.#graph.node('LayerNormalization', [byText, scale, shift], ['state'], {
      attributes: { epsilon, axis: { int: -1 } },
    });
    for (let index = 0; index < layers; index++) state = this.#layer(state, index);
    const { pooled, unit } = outputs;
    this.#graph.node('ReduceMean', [state], [pooled], { attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } });
    this.#graph.node('ReduceL2', [pooled], ['length'], { attributes: { axes: { ints: [1] }, keepdims: { int: 1 } } });
    this.#graph.node('Div', [pooled, 'length'], [unit]);
  }

  #layer(state: string, index: number): string {
    const source = `encoder.layer.${index}`;
    const name = (part: string) => `layer${index}_${part}`;
    const attended = this.#attention(state, `${source}.attention.self`, name('attention'));
    const mixed = this.#linear(attended, `${source}.attention.output.dense`, name('mixed'), [width, width]);
    const middle = this.#addAndNorm(mixed, state, `${source}.attention.output`, name('middle'));
    const wide = this.#linear(middle, `${source}.intermediate.dense`, name('wide'), [width, innerWidth]);
    const bias = this.#vector(name('gelu_bias'), `${source}.intermediate.dense.bias`);
    const gelu = this.#graph.node('BiasGelu', [wide, bias], [name('gelu')], { domain: MICROSOFT });
    const narrow = this.#linear(gelu, `${source}.output.dense`, name('narrow'), [innerWidth, width]);
    return this.#addAndNorm(narrow, middle, `${source}.output`, name('state'));
  }

  /** Query, key and value are one matrix, as the fused operator wants it. */
  #attention(input: string, source: string, name: string): string {
    const parts = ['query', 'key', 'value'];
    const matrices = parts.map((part) => transposed(this.#weights.floats(`${source}.${part}.weight`), width, width));
    const biases = parts.map((part) => this.#weights.floats(`${source}.${part}.bias`));
    const bias = this.#graph.floats(`${name}_bias`, besides(biases, 1, width));
    const matrix = besides(matrices, width, width);
    const weight = this.#graph.constant(`${name}_weight`, elementType.float, [width, 3 * width], matrix);
    return this.#graph.node('Attention', [input, weight, bias], [name], {
      attributes: { num_heads: { int: heads } },
      domain: MICROSOFT,
    });
  }

  /** A matrix product; its bias is left to the operator that follows. */
  #linear(input: string, source: string, name: string, [inputs, outputs]: [number, number]): string {
    const matrix = transposed(this.#weights.floats(`${source}.weight`), outputs, inputs);
    const weight = this.#graph.constant(`${name}_weight`, elementType.float, [inputs, outputs], matrix);
    return this.#graph.node('MatMul', [input, weight], [name]);
  }

  /** The residual sum, the bias of the product before it and the layer norm, in one operator. */
  #addAndNorm(input: string, residual: string, source: string, name: string): string {
    const scale = this.#vector(`${name}_scale`, `${source}.LayerNorm.weight`);
    const shift = this.#vector(`${name}_shift`, `${source}.LayerNorm.bias`);
    const bias = this.#vector(`${name}_bias`, `${source}.dense.bias`);
    return this.#graph.node('SkipLayerNormalization', [input, residual, scale, shift, bias], [name], {
      attributes: { epsilon },
      domain: MICROSOFT,
    });
  }

  #vector(name: string, source: string): string {
    return this.#graph.floats(name, this.#weights.floats(source));
  }
}
