import { closeSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { type Dtype, FACTS } from '@atoll-mcp/formats/dtypes';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { asBytes, elementsOf } from '../domain/values/elements.ts';
import { readFrames } from './child/frames.ts';
import { guard, watch } from './child/guard.ts';
import type { LoadMessage, OnnxAnswer, OnnxSettings, RunMessage } from './onnx-messages.ts';

// The program of a process that runs one ONNX model, and of the thread in it that watches over the memory. Requests come on
// standard input.

interface Runtime {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession>;
  };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => Tensor;
}

if (isMainThread) await serve(JSON.parse(process.argv[2]!) as OnnxSettings);
else watch();

async function serve({ runtime: wanted, memoryBytes }: OnnxSettings): Promise<void> {
  const answer: (header: OnnxAnswer, payload?: readonly Uint8Array[]) => void = guard(import.meta.url, memoryBytes);
  let opened: { session: InferenceSession; runtime: Runtime } | undefined;
  let place: string | undefined;
  for await (const { header, payload } of readFrames<LoadMessage | RunMessage>(process.stdin, () => memoryBytes)) {
    try {
      if (opened) await run(opened, header as RunMessage, payload, answer);
      else {
        const { kind, runtime } = await load(wanted);
        if (!runtime) return answer({ kind: 'missing' });
        const { path } = header as LoadMessage;
        place = path;
        opened = { runtime, session: await open(runtime, kind, path ?? payload) };
        answer({ kind: 'loaded', runtime: kind });
      }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      // The runtime names the file, whose place on this machine is not the caller's to know.
      answer({ kind: 'failed', problem: place === undefined ? problem : problem.replaceAll(place, 'its file') });
    }
  }
  process.exit(0);
}

async function load(wanted: OnnxSettings['runtime']): Promise<{ kind: 'native' | 'wasm'; runtime?: Runtime }> {
  if (wanted !== 'wasm') {
    const native = await import('onnxruntime-node').catch(() => undefined);
    if (native) return { kind: 'native', runtime: native as unknown as Runtime };
  }
  const web = wanted === 'native' ? undefined : await import('onnxruntime-web').catch(() => undefined);
  if (!web) return { kind: 'wasm' };
  web.env.wasm.numThreads = 1;
  return { kind: 'wasm', runtime: web as unknown as Runtime };
}

async function open(runtime: Runtime, kind: 'native' | 'wasm', model: string | Uint8Array): Promise<InferenceSession> {
  if (kind === 'native') return runtime.InferenceSession.create(model, { logSeverityLevel: 4 });
  const bytes = typeof model === 'string' ? await (await import('node:fs/promises')).readFile(model) : model;
  return runtime.InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: 4 });
}

async function run(
  { session, runtime }: { session: InferenceSession; runtime: Runtime },
  { inputs, outputs }: RunMessage,
  payload: Uint8Array,
  answer: (header: OnnxAnswer, payload?: readonly Uint8Array[]) => void,
): Promise<void> {
  const began = performance.now();
  let at = 0;
  const feeds: Record<string, Tensor> = {};
  for (const { name, dtype, shape, file } of inputs) {
    const size = shape.reduce((product, length) => product * length, FACTS[dtype].bytes);
    const bytes = file ? fileBytes(file, size) : payload.subarray(at, at + size);
    if (!file) at += size;
    feeds[name] = new runtime.Tensor(dtype, elementsFor(dtype, bytes), shape);
  }
  const found = await session.run(feeds, outputs);
  const tensors = outputs.map((name) => found[name]!);
  const durationMs = performance.now() - began;
  answer(
    {
      kind: 'done',
      outputs: tensors.map(({ type, dims }) => ({ dtype: type, shape: dims })),
      durationMs,
    },
    tensors.map(({ data }) => asBytes(data as Float32Array)),
  );
}

function elementsFor(dtype: Dtype, bytes: Uint8Array): unknown {
  const elements = elementsOf(dtype, bytes);
  // Where JavaScript has halves of its own, the runtime takes no other.
  const { Float16Array } = globalThis as {
    Float16Array?: new (buffer: ArrayBufferLike, at: number, n: number) => object;
  };
  if (dtype !== 'float16' || !Float16Array) return elements;
  return new Float16Array(elements.buffer, elements.byteOffset, elements.length);
}

function fileBytes({ path, offset }: { path: string; offset: number }, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const file = openSync(path, 'r');
  try {
    for (let done = 0; done < size; ) {
      const read = readSync(file, bytes, done, size - done, offset + done);
      if (read === 0) throw new Error('The file of an input ends early');
      done += read;
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}
