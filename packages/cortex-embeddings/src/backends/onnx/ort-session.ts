import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { ModelProblem } from '../model-problem.ts';

/** `onnx` is the native binding, `wasm` the same graph in WebAssembly. */
export type Runtime = 'onnx' | 'wasm';

interface TensorConstructor {
  new (type: 'int32', data: Int32Array, dims: readonly number[]): Tensor;
  new (type: 'int64', data: BigInt64Array, dims: readonly number[]): Tensor;
  new (type: 'float32', data: Float32Array, dims: readonly number[]): Tensor;
}

export interface OrtSession {
  readonly runtime: Runtime;
  /** Why the native binding is not in use, when it was wanted. */
  readonly nativeProblem?: NativeProblem;
  readonly session: InferenceSession;
  /** The tensors of a runtime work only with its own sessions. */
  readonly Tensor: TensorConstructor;
}

interface NativeProblem {
  /** For anyone. */
  readonly reason: string;
  /** The loader's own message, for the log. */
  readonly cause: string;
}

// One thread each: several such sessions outrun one with several threads, which waits for itself in a busy loop.
const options = { intraOpNumThreads: 1, interOpNumThreads: 1 } satisfies InferenceSession.SessionOptions;

/** The native session, or the WebAssembly one where the binding is missing or does not load. */
export async function openSession(graph: Uint8Array, wanted: Runtime | 'auto'): Promise<OrtSession> {
  if (wanted === 'wasm') return openWasm(graph);
  const native = await loadNative().catch((error: unknown) => ({ problem: error }));
  if (!('problem' in native)) {
    return { runtime: 'onnx', session: await native.InferenceSession.create(graph, options), Tensor: native.Tensor };
  }
  if (wanted === 'onnx') {
    throw new ModelProblem(
      'onnxruntime-node cannot be loaded',
      'Reinstall it, or choose --backend wasm',
      native.problem,
    );
  }
  const session = await openWasm(graph).catch((cause: unknown) => {
    throw new ModelProblem(
      'neither onnxruntime-node nor onnxruntime-web can be loaded',
      'Reinstall the package',
      cause,
    );
  });
  return { ...session, nativeProblem: nativeProblemOf(native.problem) };
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

const loadNative = () => import('onnxruntime-node');

async function openWasm(graph: Uint8Array): Promise<OrtSession> {
  const { env, InferenceSession, Tensor } = await import('onnxruntime-web');
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(graph, { ...options, executionProviders: ['wasm'] });
  return { runtime: 'wasm', session, Tensor };
}
