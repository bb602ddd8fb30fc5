import { FormatError } from '@atoll-mcp/formats/format-error';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGraph } from '../../src/domain/onnx/read-graph.ts';
import { graph, graphAttribute, onnxModel } from '../onnx-writer.ts';

const value = (name: string) => ({ name, type: 1, shape: ['n'] });
const weights = new Uint8Array(4_000);
const model = onnxModel({
  inputs: [value('x')],
  outputs: [value('y')],
  initializers: [{ name: 'w', type: 1, shape: [1_000], raw: weights }],
  nodes: [
    { op: 'Mul', inputs: ['x', 'w'], outputs: ['m'] },
    {
      op: 'If',
      inputs: ['m'],
      outputs: ['y'],
      attributes: [graphAttribute('then_branch', graph({ nodes: [{ op: 'Abs' }], inputs: [], outputs: [] }))],
    },
  ],
});

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 7, 4_096])('the operators of the main graph are read from pieces of %i bytes', async (size) => {
  expect(await readGraph(inPieces(model, size))).toEqual({
    nodes: [
      { operator: 'Mul', inputs: ['x', 'w'], outputs: ['m'] },
      { operator: 'If', inputs: ['m'], outputs: ['y'] },
    ],
    nodesTotal: 2,
  });
});

test('of a very large graph the first operators are read, and the others counted', async () => {
  const nodes = Array.from({ length: 2_500 }, (_, at) => ({ op: 'Abs', inputs: [`v${at}`], outputs: [`v${at + 1}`] }));
  const read = await readGraph(inPieces(onnxModel({ inputs: [], outputs: [value('v2500')], nodes }), 65_536));
  expect([read.nodes.length, read.nodesTotal]).toEqual([2_000, 2_500]);
});

test('a damaged file is refused, or read as far as it goes, and never ends in another error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(model.byteLength - 1), fc.nat(255), fc.nat(model.byteLength), async (at, byte, length) => {
      const bytes = Uint8Array.from(model);
      bytes[at] = byte;
      const read = await readGraph(inPieces(bytes.subarray(0, length), 512)).catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toBeInstanceOf(FormatError);
    }),
    { numRuns: 400 },
  );
});
