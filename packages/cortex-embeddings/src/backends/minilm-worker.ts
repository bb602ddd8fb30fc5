import type { Precision } from '../domain/minilm.ts';
import { TokenEncoder } from '../domain/token-encoder.ts';
import { readGraph, readTokenizerJson } from './minilm-files.ts';
import { openSession, type Runtime } from './minilm-session.ts';
import { type LoadedModel, runWorker } from './worker-program.ts';

export interface MinilmSettings {
  readonly precision: Precision;
  /** `auto` takes the native binding where it loads, and WebAssembly elsewhere. */
  readonly runtime: Runtime | 'auto';
  /** Where the built graph is kept; left out, it is built anew each time. */
  readonly modelDir?: string | undefined;
}

await runWorker(load);

async function load({ precision, runtime, modelDir }: MinilmSettings): Promise<LoadedModel> {
  const [graph, tokenizerJson] = await Promise.all([readGraph(precision, modelDir), readTokenizerJson()]);
  const encoder = new TokenEncoder(tokenizerJson);
  const session = await openSession(graph.bytes, runtime);
  const { nativeProblem } = session;
  return {
    report: {
      backend: session.runtime,
      notes: { precision, ...(nativeProblem && { native_runtime: nativeProblem.reason }) },
      warnings: [graph.notKept, nativeProblem?.cause].filter((warning) => warning !== undefined),
    },
    async embed(text, normalize) {
      const { ids, tokens, truncated } = encoder.encode(text);
      // A copy: the runtime may use its own buffer again.
      const vector = Float32Array.from(await session.run(ids, normalize ? 'unit' : 'pooled'));
      return { vector, tokens, truncated };
    },
    count: (text) => encoder.count(text),
  };
}
