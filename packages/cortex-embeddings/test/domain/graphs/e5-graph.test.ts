import { numberToHalf } from '@atoll-mcp/formats/narrow-floats';
import { expect, test } from 'vitest';
import { openSession } from '../../../src/backends/onnx/ort-session.ts';
import { disableOrtTelemetry } from '../../../src/backends/onnx/ort-telemetry.ts';
import { E5File } from '../../../src/domain/graphs/e5-file.ts';
import { buildE5Graph } from '../../../src/domain/graphs/e5-graph.ts';

const WIDTH = 384;
const INNER = 1_536;
const LAYERS = 12;
const POSITIONS = 8;
const pieces = ['<s>', '<pad>', '</s>', '<unk>', '▁a', '▁b', '▁c', 'd'];

/** A file of the right layout with made-up weights, and those weights widened. */
function madeUpFile() {
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const widened = new Map<string, Float64Array>();
  const tensors: [string, number, Buffer][] = [];
  const floats = (name: string, length: number, value: () => number) => {
    const values = Float32Array.from({ length }, value);
    widened.set(name, Float64Array.from(values));
    tensors.push([name, length, Buffer.from(values.buffer)]);
  };
  const nibbles = (name: string, length: number, scale: number) => {
    const bytes = Buffer.alloc((length / 32) * 18);
    const values = new Float64Array(length);
    // 2^-n and multiples of it by small numbers are exact in 16 bits.
    for (let block = 0; block < length / 32; block++) {
      const step = scale * (1 + Math.floor(next() * 8) / 8);
      bytes.writeUInt16LE(numberToHalf(step), block * 18);
      for (let index = 0; index < 32; index++) {
        const nibble = Math.floor(next() * 16);
        values[block * 32 + index] = (nibble - 8) * step;
        bytes[block * 18 + 2 + (index % 16)]! |= index < 16 ? nibble : nibble << 4;
      }
    }
    widened.set(name, values);
    tensors.push([name, length, bytes]);
  };
  const around = (middle: number) => () => middle + (next() - 0.5) / 5;
  nibbles('emb.word', pieces.length * WIDTH, 2 ** -4);
  floats('emb.pos', POSITIONS * WIDTH, around(0));
  floats('emb.type', 2 * WIDTH, around(0));
  floats('emb.ln.w', WIDTH, around(1));
  floats('emb.ln.b', WIDTH, around(0));
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const [part, outputs, inputs] of [
      ['q', WIDTH, WIDTH],
      ['k', WIDTH, WIDTH],
      ['v', WIDTH, WIDTH],
      ['ao', WIDTH, WIDTH],
      ['fi', INNER, WIDTH],
      ['fo', WIDTH, INNER],
    ] as const) {
      nibbles(`l${layer}.${part}.w`, outputs * inputs, 2 ** -8);
      floats(`l${layer}.${part}.b`, outputs, around(0));
    }
    for (const norm of ['aln', 'oln']) {
      floats(`l${layer}.${norm}.w`, WIDTH, around(1));
      floats(`l${layer}.${norm}.b`, WIDTH, around(0));
    }
  }
  return { file: fileOf(tensors), weights: (name: string) => widened.get(name)! };
}

function fileOf(tensors: readonly [name: string, count: number, bytes: Buffer][]): Buffer {
  const integers = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);
  const long = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
  const texts = pieces.map((piece) => Buffer.from(piece));
  const offsets = [0];
  for (const text of texts) offsets.push(offsets.at(-1)! + text.length);
  const head = Buffer.concat([
    Buffer.from('E5S1'),
    integers(1, WIDTH, LAYERS, 12, INNER, pieces.length, POSITIONS, 2),
    Buffer.from(Float32Array.of(1e-12).buffer),
    integers(32, pieces.length, 0, 2, 1, 3),
    long(offsets.at(-1)!),
    integers(...offsets),
    Buffer.from(Float32Array.from(pieces, (_, id) => 1 - id).buffer),
    ...texts,
    // One rule of the normalisation: a tab becomes a space.
    integers(1, 9, 9),
    Buffer.from([1]),
    integers(32),
    integers(tensors.length),
  ]);
  const directoryBytes = tensors.reduce((sum, [name]) => sum + 2 + name.length + 1 + 4 + 16, 0);
  let at = head.length + directoryBytes;
  const directory = tensors.map(([name, count, bytes]) => {
    const length = Buffer.alloc(2);
    length.writeUInt16LE(name.length);
    const entry = Buffer.concat([
      length,
      Buffer.from(name),
      Buffer.of(0),
      integers(count),
      long(at),
      long(bytes.length),
    ]);
    at += bytes.length;
    return entry;
  });
  return Buffer.concat([head, ...directory, ...tensors.map(([, , bytes]) => bytes)]);
}

/** The model's own formulas in double precision. */
function expected(weights: (name: string) => Float64Array, ids: readonly number[]): number[] {
  const dense = (row: readonly number[], part: string) => {
    const [matrix, bias] = [weights(`${part}.w`), weights(`${part}.b`)];
    return Array.from(bias, (start, out) =>
      row.reduce((sum, value, i) => sum + value * matrix[out * row.length + i]!, start),
    );
  };
  const norm = (row: readonly number[], part: string) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / WIDTH;
    const spread = Math.sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / WIDTH + 1e-12);
    return row.map((value, i) => ((value - mean) / spread) * weights(`${part}.w`)[i]! + weights(`${part}.b`)[i]!);
  };
  const plus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]!);
  const rowOf = (name: string, row: number) => Array.from(weights(name).subarray(row * WIDTH, (row + 1) * WIDTH));
  let state = ids.map((id, place) =>
    norm(plus(plus(rowOf('emb.word', id), rowOf('emb.pos', place)), rowOf('emb.type', 0)), 'emb.ln'),
  );
  for (let layer = 0; layer < LAYERS; layer++) {
    const [q, k, v] = ['q', 'k', 'v'].map((part) => state.map((row) => dense(row, `l${layer}.${part}`)));
    state = state.map((row, t) => {
      const attended = Array.from({ length: WIDTH }, () => 0);
      for (let head = 0; head < WIDTH; head += 32) {
        const scores = k!.map((key) => {
          let dot = 0;
          for (let i = head; i < head + 32; i++) dot += q![t]![i]! * key[i]!;
          return Math.exp(dot / Math.sqrt(32));
        });
        const total = scores.reduce((sum, score) => sum + score, 0);
        for (let i = head; i < head + 32; i++)
          attended[i] = scores.reduce((sum, score, s) => sum + (score / total) * v![s]![i]!, 0);
      }
      const middle = norm(plus(row, dense(attended, `l${layer}.ao`)), `l${layer}.aln`);
      const wide = dense(middle, `l${layer}.fi`).map((value) => 0.5 * value * (1 + erf(value / Math.SQRT2)));
      return norm(plus(middle, dense(wide, `l${layer}.fo`)), `l${layer}.oln`);
    });
  }
  return state.reduce(plus).map((value) => value / ids.length);
}

/** To 1.5e-7 (Abramowitz and Stegun 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const tail =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return Math.sign(x) * (1 - tail);
}

const { file, weights } = madeUpFile();

test('the graph computes the formulas of the model, but for the rounding of its inputs to bytes', {
  timeout: 120_000,
}, async () => {
  disableOrtTelemetry();
  const { session, Tensor } = await openSession(buildE5Graph(new E5File(file)), 'auto');
  const ids = [0, 5, 7, 3, 2];
  const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
  const { sentence_embedding: output } = await session.run({ input_ids: input });
  const found = Array.from(output!.data as Float32Array);
  const wanted = expected(weights, ids);
  const dot = wanted.reduce((sum, value, i) => sum + value * found[i]!, 0);
  expect(dot / Math.hypot(...wanted) / Math.hypot(...found)).toBeGreaterThan(0.999);
});

test('a file of another kind or size is refused, and a missing tensor is named', () => {
  expect(() => new E5File(Buffer.from('something else'))).toThrow('does not hold weights of multilingual-e5');
  const wider = Buffer.from(file);
  wider.writeInt32LE(768, 8);
  expect(() => new E5File(wider)).toThrow('of another size');
  expect(() => new E5File(file).floats('l12.q.b')).toThrow('no tensor "l12.q.b"');
});

test('its pieces keep their numbers', () => {
  expect(new E5File(file).pieces.map(({ text, score }) => [text.toString(), score])).toEqual(
    pieces.map((piece, id) => [piece, 1 - id]),
  );
});
