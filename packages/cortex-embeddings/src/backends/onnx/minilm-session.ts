import { minilm } from '../../domain/graphs/minilm.ts';
import type { TokenBlock } from '../../domain/token-block.ts';
import type { OrtSession } from './ort-session.ts';

/** One vector per text of the block, in its order. */
export async function runMinilm(
  { session, Tensor }: OrtSession,
  { indices, tokens, ids, places, present }: TokenBlock,
  output: 'pooled' | 'unit',
): Promise<Float32Array<ArrayBuffer>[]> {
  const dims = [tokens, indices.length];
  const inputs = {
    ids: new Tensor('int32', ids, dims),
    places: new Tensor('int32', places, dims),
    present: new Tensor('float32', present, dims),
  };
  const data = (await session.run(inputs, [output]))[output]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`The graph has no output "${output}"`);
  // Copies: the runtime may use its own buffer again.
  return indices.map((_, i) => Float32Array.from(data.subarray(i * minilm.width, (i + 1) * minilm.width)));
}
