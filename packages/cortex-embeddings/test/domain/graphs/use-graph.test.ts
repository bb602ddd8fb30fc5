import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { expect, test } from 'vitest';
import { openSession } from '../../../src/backends/onnx/ort-session.ts';
import { disableOrtTelemetry } from '../../../src/backends/onnx/ort-telemetry.ts';
import { buildUseGraph } from '../../../src/domain/graphs/use-graph.ts';
import { floatsOf, readNpz } from '../../../src/domain/npz.ts';
import { zip } from '../../_zip.ts';

const ROWS = 2;
const PIECES = 17 * ROWS;

/** Weights of the right shapes with values that repeat for ever. */
function madeUpWeights(): Map<string, Tensor> {
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const arrays = new Map<string, Tensor>();
  const floats = (name: string, shape: number[], value: () => number) => {
    const values = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, value);
    arrays.set(name, { dtype: 'float32', shape, data: Buffer.from(values.buffer) });
  };
  for (let block = 1; block <= 17; block++) {
    arrays.set(`q${block}`, {
      dtype: 'uint8',
      shape: [ROWS, 512],
      data: Buffer.from(Uint8Array.from({ length: ROWS * 512 }, () => (next() + 0.5) * 63)),
    });
  }
  floats('scale', [17], () => 0.02 + 0.01 * (next() + 0.5));
  floats('lo', [17], () => -0.6);
  for (const n of [2, 3, 5]) {
    floats(`proj${n}`, [512, 256], () => next() / 10);
    floats(`proj_b${n}`, [256], next);
    floats(`ln_g${n}`, [256], () => 1 + next() / 5);
    floats(`ln_b${n}`, [256], next);
    for (const layer of [1, 2]) {
      floats(`w${layer}_${n}`, [n * 256, 256], () => next() / 10);
      floats(`b${layer}_${n}`, [256], next);
    }
  }
  floats('ln_g', [1280], () => 1 + next() / 5);
  floats('ln_b', [1280], next);
  floats('cnn_W', [1280, 512], () => next() / 20);
  floats('cnn_b', [512], next);
  for (const [name, shape] of Object.entries({
    d0: [512, 320],
    d1: [320, 320],
    p1: [512, 320],
    d2: [320, 512],
    p3: [320, 512],
    d3: [512, 512],
  })) {
    floats(name, shape, () => next() / 10);
  }
  const epsilon = Buffer.alloc(8);
  epsilon.writeDoubleLE(1e-12);
  arrays.set('eps', { dtype: 'float64', shape: [], data: epsilon });
  return arrays;
}

/** The model's own formulas, one text at a time, in double precision. */
function expected(weights: Map<string, Tensor>, ids: readonly number[]): number[] {
  const values = (name: string) => Array.from(floatsOf(weights.get(name)!));
  const times = (row: readonly number[], name: string) => {
    const [inputs, outputs] = weights.get(name)!.shape as [number, number];
    const matrix = values(name);
    const out = new Array<number>(outputs).fill(0);
    for (let i = 0; i < inputs; i++) for (let o = 0; o < outputs; o++) out[o]! += row[i]! * matrix[i * outputs + o]!;
    return out;
  };
  const plus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]!);
  const relu = (row: readonly number[]) => row.map((value) => Math.max(0, value));
  const norm = (row: readonly number[], scale: string, shift: string) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    const [scales, shifts] = [values(scale), values(shift)];
    return row.map((value, i) => ((value - mean) / Math.sqrt(variance + 1e-12)) * scales[i]! + shifts[i]!);
  };
  const [scale, lowest] = [values('scale'), values('lo')];
  const embedded = ids.map((id) => {
    const bytes = weights
      .get(`q${(id % 17) + 1}`)!
      .data.subarray(Math.floor(id / 17) * 512, (Math.floor(id / 17) + 1) * 512);
    return Array.from(bytes, (byte) => byte * scale[id % 17]! + lowest[id % 17]!);
  });
  const features = embedded.map((row) => [...row]);
  for (const [n, left] of [
    [2, 0],
    [3, 1],
    [5, 2],
  ] as const) {
    let state = embedded.map((row) => norm(plus(times(row, `proj${n}`), values(`proj_b${n}`)), `ln_g${n}`, `ln_b${n}`));
    for (const layer of [1, 2]) {
      const before = state;
      state = before.map((row, t) => {
        const gram = Array.from({ length: n }, (_, k) => before[t - left + k] ?? new Array<number>(256).fill(0)).flat();
        return plus(row, relu(plus(times(gram, `w${layer}_${n}`), values(`b${layer}_${n}`))));
      });
    }
    for (const [t, row] of state.entries()) features[t]!.push(...row);
  }
  const sum = features.map((row) => norm(row, 'ln_g', 'ln_b')).reduce(plus);
  const mean = times(sum, 'cnn_W').map(
    (value, i) => (value + ids.length * values('cnn_b')[i]!) / Math.sqrt(ids.length),
  );
  const inner = relu(plus(times(mean, 'p1'), times(relu(times(mean, 'd0')), 'd1')));
  const outer = plus(times(inner, 'p3'), times(relu(times(inner, 'd2')), 'd3')).map(Math.tanh);
  const length = Math.hypot(...outer);
  return outer.map((value) => value / length);
}

test('the graph computes the formulas of the model, and no text sees its neighbours', {
  timeout: 120_000,
}, async () => {
  disableOrtTelemetry();
  const weights = madeUpWeights();
  const graph = buildUseGraph((name) => weights.get(name)!);
  const { session, Tensor } = await openSession(graph, 'auto');
  const texts = [
    [1, 20, 2],
    [1, 5, 9, 33, 12, 7, 2],
    [1, 2],
  ];
  for (const ids of texts.flat()) expect(ids).toBeLessThan(PIECES);
  const ids = BigInt64Array.from(texts.flat(), BigInt);
  const numbers = BigInt64Array.from(
    texts.flatMap((text, index) => text.map(() => index)),
    BigInt,
  );
  const { vectors } = await session.run({
    ids: new Tensor('int64', ids, [ids.length]),
    texts: new Tensor('int64', numbers, [ids.length]),
  });
  const data = vectors!.data as Float32Array;
  for (const [index, text] of texts.entries()) {
    const vector = expected(weights, text);
    const farthest = vector.reduce((most, value, i) => Math.max(most, Math.abs(value - data[index * 512 + i]!)), 0);
    expect(farthest).toBeLessThan(1e-5);
  }
});

test('arrays are read out of a zip, stored or deflated, and a missing one is named', () => {
  const npy = (header: string, body: Buffer) => {
    const text = Buffer.from(`${header.padEnd(117)}\n`);
    const length = Buffer.alloc(2);
    length.writeUInt16LE(text.length);
    return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, text, body]);
  };
  const floats = npy(
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }",
    Buffer.from(Float32Array.of(1.5, -2).buffer),
  );
  const bytes = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", Buffer.from([7, 8, 9]));
  const read = readNpz(
    zip([
      ['a.npy', floats, 8],
      ['b.npy', bytes, 0],
    ]),
  );
  expect(read('a')).toMatchObject({ dtype: 'float32', shape: [1, 2] });
  expect(Array.from(floatsOf(read('a')))).toEqual([1.5, -2]);
  expect([...read('b').data]).toEqual([7, 8, 9]);
  expect(() => read('c')).toThrow('no array "c"');
  expect(() => floatsOf(read('b'))).toThrow('not of float32');
  expect(() => readNpz(Buffer.from('not a zip'))).toThrow('not a zip archive');
});
