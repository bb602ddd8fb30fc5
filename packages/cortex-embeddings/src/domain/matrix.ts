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

export interface QuantisedMatrix {
  readonly values: Int8Array;
  /** One per column. */
  readonly scales: Float32Array;
}

/** Symmetric int8 with one scale per column; no value is larger than `range`. */
export function quantised(matrix: Float32Array, rows: number, columns: number, range: number): QuantisedMatrix {
  const scales = new Float32Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const size = Math.abs(matrix[row * columns + column]!);
      if (size > scales[column]!) scales[column] = size;
    }
  }
  for (let column = 0; column < columns; column++) scales[column] = scales[column]! / range || 1;
  const values = new Int8Array(rows * columns);
  for (let i = 0; i < values.length; i++) values[i] = Math.round(matrix[i]! / scales[i % columns]!);
  return { values, scales };
}
