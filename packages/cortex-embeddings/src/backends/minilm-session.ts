import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { minilm } from '../domain/minilm.ts';
import type { TokenBlock } from '../domain/token-block.ts';
import { ModelProblem } from './model-problem.ts';

/** `onnx` is the native binding, `wasm` the same graph in WebAssembly. */
export type Runtime = 'onnx' | 'wasm';

export interface ModelSession {
  readonly runtime: Runtime;
  /** Why the native binding is not in use, when it was wanted. */
  readonly nativeProblem?: NativeProblem;
  /** One vector per text of the block, in its order. */
  run(block: TokenBlock, output: 'pooled' | 'unit'): Promise<Float32Array<ArrayBuffer>[]>;
}

export interface NativeProblem {
  /** For anyone. */
  readonly reason: string;
  /** The loader's own message, for the log. */
  readonly cause: string;
}

// One thread each: several such sessions outrun one with several threads, which waits for itself in a busy loop.
const options = { intraOpNumThreads: 1, interOpNumThreads: 1 } satisfies InferenceSession.SessionOptions;

/** The native session, or the WebAssembly one where the binding is missing or does not load. */
export async function openSession(graph: Uint8Array, wanted: Runtime | 'auto'): Promise<ModelSession> {
  if (wanted === 'wasm') return openWasm(graph);
  try {
    return await openNative(graph);
  } catch (error) {
    if (wanted === 'onnx') {
      throw new ModelProblem('onnxruntime-node cannot be loaded', 'Reinstall it, or choose --backend wasm', error);
    }
    const session = await openWasm(graph).catch((cause: unknown) => {
      throw new ModelProblem(
        'neither onnxruntime-node nor onnxruntime-web can be loaded',
        'Reinstall the package',
        cause,
      );
    });
    return { ...session, nativeProblem: nativeProblemOf(error) };
  }
}

function nativeProblemOf(error: unknown): NativeProblem {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
  return {
    reason: isMissing
      ? 'onnxruntime-node is not installed: npm leaves it out where its install script cannot reach the network. npm install with --onnxruntime-node-install=skip keeps it'
      : 'onnxruntime-node is installed, but does not load on this machine',
    cause: error instanceof Error ? error.message : String(error),
  };
}

async function openNative(graph: Uint8Array): Promise<ModelSession> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(graph, options);
  return { runtime: 'onnx', run: runner(session, Tensor) };
}

async function openWasm(graph: Uint8Array): Promise<ModelSession> {
  const { env, InferenceSession, Tensor } = await import('onnxruntime-web');
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(graph, { ...options, executionProviders: ['wasm'] });
  return { runtime: 'wasm', run: runner(session, Tensor) };
}

type TensorConstructor = {
  new (type: 'int32', data: Int32Array, dims: readonly number[]): Tensor;
  new (type: 'float32', data: Float32Array, dims: readonly number[]): Tensor;
};

function runner(session: InferenceSession, TensorOfRuntime: TensorConstructor): ModelSession['run'] {
  return async ({ indices, tokens, ids, places, present }, output) => {
    const dims = [tokens, indices.length];
    const inputs = {
      ids: new TensorOfRuntime('int32', ids, dims),
      places: new TensorOfRuntime('int32', places, dims),
      present: new TensorOfRuntime('float32', present, dims),
    };
    const data = (await session.run(inputs, [output]))[output]?.data;
    if (!(data instanceof Float32Array)) throw new Error(`The graph has no output "${output}"`);
    // Copies: the runtime may use its own buffer again.
    return indices.map((_, i) => Float32Array.from(data.subarray(i * minilm.width, (i + 1) * minilm.width)));
  };
}
