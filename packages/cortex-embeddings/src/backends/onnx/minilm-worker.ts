import type { Precision } from '../../domain/graphs/minilm.ts';
import { packTexts } from '../../domain/token-block.ts';
import { TokenEncoder } from '../../domain/token-encoder.ts';
import { type LoadedModel, runWorker } from '../workers/worker-program.ts';
import { readGraph, readTokenizerJson } from './minilm-files.ts';
import { runMinilm } from './minilm-session.ts';
import { openSession, type Runtime } from './ort-session.ts';

export interface MinilmSettings {
  readonly precision: Precision;
  /** `auto` takes the native binding where it loads, and WebAssembly elsewhere. */
  readonly runtime: Runtime | 'auto';
  /** Where the built graph is kept; left out, it is built each time. */
  readonly modelDir?: string | undefined;
}

await runWorker(load);

async function load({ precision, runtime, modelDir }: MinilmSettings): Promise<LoadedModel> {
  const [graph, encoder] = await Promise.all([
    readGraph(precision, modelDir),
    readTokenizerJson().then((json) => new TokenEncoder(json)),
  ]);
  const session = await openSession(graph.bytes, runtime);
  const { nativeProblem } = session;
  return {
    report: {
      backend: session.runtime,
      notes: { precision, ...(nativeProblem && { native_runtime: nativeProblem.reason }) },
      warnings: [graph.notKept, nativeProblem?.cause].filter((warning) => warning !== undefined),
    },
    async embed(texts, normalize) {
      const encoded = texts.map((text) => encoder.encode(text));
      const vectors: Float32Array<ArrayBuffer>[] = [];
      // Only in int8 does a vector not depend on the texts beside it.
      const blocks = packTexts(
        encoded.map(({ ids }) => ids),
        precision === 'int8' ? undefined : 0,
      );
      for (const block of blocks) {
        const found = await runMinilm(session, block, normalize ? 'unit' : 'pooled');
        for (const [i, index] of block.indices.entries()) vectors[index] = found[i]!;
      }
      return encoded.map(({ tokens, truncated }, i) => ({ vector: vectors[i]!, tokens, truncated }));
    },
    count: (text) => encoder.count(text),
  };
}
