/** PyTorch stores a linear layer as [outputs, inputs]; ONNX multiplies by [inputs, outputs]. */
export function transposed(matrix: Float32Array, outputs: number, inputs: number): Float32Array {
  const turned = new Float32Array(matrix.length);
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) turned[input * outputs + output] = matrix[output * inputs + input]!;
  }
  return turned;
}

/** Matrices of the same height, side by side. */
export function besides(matrices: readonly Float32Array[], rows: number, columns: number): Float32Array {
  const width = matrices.length * columns;
  const joined = new Float32Array(rows * width);
  for (const [part, matrix] of matrices.entries()) {
    for (let row = 0; row < rows; row++) {
      joined.set(matrix.subarray(row * columns, (row + 1) * columns), row * width + part * columns);
    }
  }
  return joined;
}

/** The matrix with each of its rows multiplied by a factor of its own. */
export function rowsTimes(matrix: Float32Array, columns: number, factors: ArrayLike<number>): Float32Array {
  const result = matrix.slice();
  for (let row = 0; row * columns < matrix.length; row++) {
    const factor = factors[row]!;
    if (factor === 1) continue;
    for (let i = row * columns; i < (row + 1) * columns; i++) result[i] = result[i]! * factor;
  }
  return result;
}

/** A row times a matrix. */
export function rowTimes(row: ArrayLike<number>, matrix: Float32Array, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  for (let i = 0; i < row.length; i++) {
    const value = row[i]!;
    for (let column = 0; column < columns; column++) {
      sums[column] = sums[column]! + value * matrix[i * columns + column]!;
    }
  }
  return sums;
}

/** The columns with these numbers, side by side; one without a number is empty. */
export function columnsOf(matrix: Float32Array, columns: number, chosen: readonly (number | undefined)[]) {
  const rows = matrix.length / columns;
  const result = new Float32Array(rows * chosen.length);
  for (let row = 0; row < rows; row++) {
    for (let to = 0; to < chosen.length; to++) {
      const from = chosen[to];
      if (from !== undefined) result[row * chosen.length + to] = matrix[row * columns + from]!;
    }
  }
  return result;
}

/** The rows with these numbers, one below the other. */
export function rowsOf(matrix: Float32Array, columns: number, chosen: readonly number[]): Float32Array {
  const result = new Float32Array(chosen.length * columns);
  for (const [to, from] of chosen.entries()) {
    result.set(matrix.subarray(from * columns, (from + 1) * columns), to * columns);
  }
  return result;
}

/** The length of each column. */
export function columnLengths(matrix: Float32Array, columns: number): Float64Array {
  const squares = new Float64Array(columns);
  for (let i = 0; i < matrix.length; i++) squares[i % columns] = squares[i % columns]! + matrix[i]! ** 2;
  return squares.map(Math.sqrt);
}

interface QuantisedMatrix {
  readonly values: Int8Array;
  /** One per column: what a sum of values times bytes is to be multiplied by. */
  readonly scales: Float32Array;
}

// AVX2 adds the products of two neighbours in 16 bits: 255 × 128 fits, so that is what two of one sign may come to.
const LARGEST_PAIR = 128;

/** Symmetric int8 with one scale per column, for bytes of this step. Sums of products with them saturate nowhere. */
export function quantised(matrix: Float32Array, columns: number, step: number): QuantisedMatrix {
  const largest = new Float64Array(columns);
  for (let i = 0; i < matrix.length; i++) {
    const value = matrix[i]!;
    const below = i + columns < matrix.length ? matrix[i + columns]! : 0;
    const pair = value * below > 0 ? Math.abs(value + below) : Math.abs(value);
    if (pair > largest[i % columns]!) largest[i % columns] = pair;
  }
  // Rounding may add a half to each of the two.
  const range = LARGEST_PAIR - 1;
  const scales = Float32Array.from(largest, (size) => (size === 0 ? 1 : shortAtLeast((size * step) / range)));
  const values = new Int8Array(matrix.length);
  for (let i = 0; i < matrix.length; i++) values[i] = Math.round((matrix[i]! * step) / scales[i % columns]!);
  return { values, scales };
}

// Times an integer below 2^19 it has no more bits than a float. The narrowing product comes near that.
const SCALE_BITS = 5;

/** The next number from here upwards that has only a few bits. */
function shortAtLeast(value: number): number {
  const unit = 2 ** (Math.floor(Math.log2(value)) + 1 - SCALE_BITS);
  return Math.ceil(value / unit) * unit;
}
