import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { floatsOf } from '../npz.ts';
import { besides } from './matrix.ts';
import { type Attribute, elementType, GraphWriter } from './onnx-writer.ts';
import { useMultilingual } from './use-multilingual.ts';

const { blocks, branches, branchWidth, dimensions } = useMultilingual;

/**
 * The encoder as an ONNX graph of standard operators. In: `ids`, the tokens of all texts one after the other, and
 * `texts`, the number of each token's text. Out: `vectors`, one of length 1 per text. No text sees another's tokens.
 */
export function buildUseGraph(weights: (name: string) => Tensor): Buffer<ArrayBuffer> {
  const graph = new UseGraph(weights);
  graph.write();
  return graph.encode({
    name: useMultilingual.name,
    inputs: [
      { name: 'ids', type: elementType.int64, dims: ['tokens'] },
      { name: 'texts', type: elementType.int64, dims: ['tokens'] },
    ],
    outputs: [{ name: 'vectors', type: elementType.float, dims: ['count', dimensions] }],
    opsets: { '': 17 },
  });
}

class UseGraph extends GraphWriter {
  readonly #weights: (name: string) => Tensor;
  readonly #epsilon: Attribute;
  #count = 0;

  constructor(weights: (name: string) => Tensor) {
    super();
    this.#weights = weights;
    this.#epsilon = { float: epsilonOf(weights('eps')) };
  }

  write(): void {
    this.#integer('zero', 0);
    this.#integer('one', 1);
    this.#integer('two', 2);
    this.#integers('axis0', [0]);
    this.#integers('axis1', [1]);
    const embedded = this.#embedded();
    const features = this.#norm(this.#branches(embedded), 'ln', 'ln_g', 'ln_b');
    this.#encode(features);
  }

  /** One table of bytes for all pieces, with a scale and an offset for each block. */
  #embedded(): string {
    const rows = this.#weights('q1').shape[0]!;
    const table = new Uint8Array(blocks * rows * dimensions);
    for (let block = 0; block < blocks; block++) {
      const { data } = this.#weights(`q${block + 1}`);
      for (let row = 0; row < rows; row++) {
        table.set(data.subarray(row * dimensions, (row + 1) * dimensions), (row * blocks + block) * dimensions);
      }
    }
    this.constant('table', elementType.uint8, [blocks * rows, dimensions], table);
    this.constant('scale', elementType.float, [blocks, 1], this.#floats('scale'));
    this.constant('lowest', elementType.float, [blocks, 1], this.#floats('lo'));
    const block = this.#op('Mod', ['ids', this.#integer('blocks', blocks)]);
    const bytes = this.#op('Gather', ['table', 'ids']);
    const values = this.#op('Cast', [bytes], { to: { int: elementType.float } });
    const scaled = this.#op('Mul', [values, this.#op('Gather', ['scale', block])]);
    return this.#op('Add', [scaled, this.#op('Gather', ['lowest', block])]);
  }

  /** The embedding beside what the three branches of n-grams make of it. */
  #branches(embedded: string): string {
    const lengths = branches.map(({ length }) => length);
    const width = branches.length * branchWidth;
    const projection = besides(
      lengths.map((length) => this.#floats(`proj${length}`)),
      dimensions,
      branchWidth,
    );
    this.constant('projection', elementType.float, [dimensions, width], projection);
    const bias = this.floats(
      'projection_bias',
      besides(
        lengths.map((length) => this.#floats(`proj_b${length}`)),
        1,
        branchWidth,
      ),
    );
    const projected = this.#op('Add', [this.#op('MatMul', [embedded, 'projection']), bias]);
    const near = this.#neighbours();
    this.constant('zeros', elementType.float, [1, branchWidth], new Float32Array(branchWidth));
    const outputs = branches.map(({ length, left }, index) => {
      const window = this.#slice(near, `window${length}`, 2 - left, 2 - left + length);
      const part = this.#slice(projected, `branch${length}`, index * branchWidth, (index + 1) * branchWidth);
      // One norm per branch, as in the original model; the package of the weights has one over all three.
      const start = this.#norm(part, `ln${length}`, `ln_g${length}`, `ln_b${length}`);
      return this.#branch(start, window, length);
    });
    return this.#op('Concat', [embedded, ...outputs], { axis: { int: 1 } });
  }

  /** Twice: what it was, and the n-grams around each token through a matrix and ReLU. */
  #branch(start: string, window: string, length: number): string {
    this.#integers(`flat${length}`, [-1, length * branchWidth]);
    let state = start;
    for (const layer of [1, 2]) {
      const padded = this.#op('Concat', [state, 'zeros'], { axis: { int: 0 } });
      const grams = this.#op('Reshape', [this.#op('Gather', [padded, window]), `flat${length}`]);
      const product = this.#dense(grams, `w${layer}_${length}`);
      const bias = this.floats(`b${layer}_${length}`, this.#floats(`b${layer}_${length}`));
      state = this.#op('Add', [this.#op('Relu', [this.#op('Add', [product, bias])]), state]);
    }
    return state;
  }

  /** [tokens, 5]: places of the tokens from two before to two behind, or of a row of zeros where there is another text. */
  #neighbours(): string {
    const total = this.#op('Squeeze', [this.#op('Shape', ['ids']), 'axis0']);
    const places = this.#op('Unsqueeze', [this.#op('Range', ['zero', total, 'one']), 'axis1']);
    const around = this.#op('Add', [places, this.#integers('around', [-2, -1, 0, 1, 2])]);
    const padded = this.#op('Pad', ['texts', this.#integers('padding', [2, 2]), this.#integer('outside', -1)]);
    const textsAround = this.#op('Gather', [padded, this.#op('Add', [around, 'two'])]);
    const isSame = this.#op('Equal', [textsAround, this.#op('Unsqueeze', ['texts', 'axis1'])]);
    return this.#op('Where', [isSame, around, total]);
  }

  /** Sums over the tokens of each text, divided by the root of their number, through two residual layers. */
  #encode(features: string): void {
    const count = this.#op('Add', [this.#op('ReduceMax', ['texts'], { keepdims: { int: 0 } }), 'one']);
    const numbers = this.#op('Unsqueeze', [this.#op('Range', ['zero', count, 'one']), 'axis1']);
    const isOwn = this.#op('Equal', [numbers, this.#op('Unsqueeze', ['texts', 'axis0'])]);
    const own = this.#op('Cast', [isOwn], { to: { int: elementType.float } });
    const lengths = this.#op('ReduceSum', [own, 'axis1'], { keepdims: { int: 1 } });
    const bias = this.#op('Mul', [lengths, this.floats('cnn_b', this.#floats('cnn_b'))]);
    const sums = this.#op('Add', [this.#dense(this.#op('MatMul', [own, features]), 'cnn_W'), bias]);
    const mean = this.#op('Div', [sums, this.#op('Sqrt', [lengths])]);
    const inner = this.#residual(mean, ['p1', 'd0', 'd1'], 'Relu');
    const outer = this.#residual(inner, ['p3', 'd2', 'd3'], 'Tanh');
    const squares = this.#op('ReduceSum', [this.#op('Mul', [outer, outer]), 'axis1'], { keepdims: { int: 1 } });
    this.node('Div', [outer, this.#op('Sqrt', [squares])], ['vectors']);
  }

  #residual(input: string, [direct, first, second]: readonly [string, string, string], activation: string): string {
    const through = this.#dense(this.#op('Relu', [this.#dense(input, first)]), second);
    return this.#op(activation, [this.#op('Add', [this.#dense(input, direct), through])]);
  }

  #dense(input: string, name: string): string {
    const { shape } = this.#weights(name);
    return this.#op('MatMul', [input, this.constant(name, elementType.float, shape, this.#floats(name))]);
  }

  #norm(input: string, name: string, scale: string, shift: string): string {
    const inputs = [
      input,
      this.floats(`${name}_scale`, this.#floats(scale)),
      this.floats(`${name}_shift`, this.#floats(shift)),
    ];
    return this.#op('LayerNormalization', inputs, { epsilon: this.#epsilon });
  }

  #slice(input: string, name: string, from: number, to: number): string {
    return this.#op('Slice', [
      input,
      this.#integers(`${name}_from`, [from]),
      this.#integers(`${name}_to`, [to]),
      'axis1',
    ]);
  }

  #op(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    return this.node(operator, inputs, [`${operator}_${this.#count++}`], { attributes });
  }

  #floats(name: string): Float32Array<ArrayBuffer> {
    return floatsOf(this.#weights(name));
  }

  #integer(name: string, value: number): string {
    return this.constant(name, elementType.int64, [], BigInt64Array.of(BigInt(value)));
  }

  #integers(name: string, values: readonly number[]): string {
    return this.constant(name, elementType.int64, [values.length], BigInt64Array.from(values, BigInt));
  }
}

function epsilonOf({ data }: Tensor): number {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getFloat64(0, true);
}
