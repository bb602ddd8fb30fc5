import { Semaphore } from '@atoll-mcp/core';
import { bytesOf, isDtype, type Tensor } from '@atoll-mcp/formats/dtypes';
import { npyHeader } from '@atoll-mcp/formats/npy';
import { noSandbox, runFailed } from '../errors.ts';
import { ProcessFault } from './child/child-program.ts';
import type { OnnxRequest, OnnxRunner } from './interface.ts';
import type { OnnxAnswer, OnnxSettings, RunMessage } from './onnx-messages.ts';
import { ModelProcess } from './onnx-model-process.ts';

/** Concurrent runs, each in its own process. */
const CONCURRENCY = 2;
/** A process that was used is kept for the next run of the same model. */
const IDLE_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Memory in addition to the model, which the runtime copies once or twice. */
const MEMORY_BYTES = 2 * 2 ** 30;
const COPIES_OF_MODEL = 3;

export interface ProcessOnnxOptions {
  readonly maxResultBytes: number;
  readonly runtime?: OnnxSettings['runtime'];
  readonly memoryBytes?: number;
}

/** Runs ONNX models in child processes: a crash, a hang or too much memory ends only that process. */
export class ProcessOnnxRunner implements OnnxRunner {
  readonly #options: ProcessOnnxOptions;
  readonly #slots = new Semaphore(CONCURRENCY);
  /** By hash of the model, most recently used last. */
  readonly #idle = new Map<string, { process: ModelProcess; timer: NodeJS.Timeout }>();
  readonly #busy = new Set<ModelProcess>();

  constructor(options: ProcessOnnxOptions) {
    this.#options = options;
  }

  run(request: OnnxRequest): Promise<{ outputs: readonly Tensor[]; durationMs: number }> {
    return this.#slots.run(() => this.#run(request), request.signal);
  }

  async close(): Promise<void> {
    for (const { process, timer } of this.#idle.values()) {
      clearTimeout(timer);
      process.kill();
    }
    for (const process of this.#busy) process.kill();
    this.#idle.clear();
  }

  async #run(request: OnnxRequest): Promise<{ outputs: readonly Tensor[]; durationMs: number }> {
    const { model, file, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = request;
    const process = this.#take(request);
    this.#busy.add(process);
    try {
      const limits = { timeoutMs, signal };
      const answer = await process.ask(...messageOf(request), limits);
      const outputs = outputsOf(answer);
      this.#keep(file.sha256, process);
      return outputs;
    } catch (error) {
      // After a failure of the run itself the process can be used again.
      if (error instanceof RunFault) this.#keep(file.sha256, process);
      else process.kill();
      if (error instanceof ProcessFault && error.isMissing) throw noSandbox(model, error.message, INSTALL);
      throw error instanceof ProcessFault || error instanceof RunFault ? runFailed(model, error.message) : error;
    } finally {
      this.#busy.delete(process);
    }
  }

  #take({ file, content }: OnnxRequest): ModelProcess {
    const kept = this.#idle.get(file.sha256);
    if (kept) {
      clearTimeout(kept.timer);
      this.#idle.delete(file.sha256);
      if (kept.process.isAlive) return kept.process;
    }
    const { runtime = 'auto', memoryBytes = MEMORY_BYTES, maxResultBytes } = this.#options;
    const settings = { runtime, memoryBytes: memoryBytes + COPIES_OF_MODEL * file.sizeBytes };
    return new ModelProcess(settings, content, maxResultBytes);
  }

  #keep(sha256: string, process: ModelProcess): void {
    if (!process.isAlive) return;
    this.#drop(sha256);
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined && this.#idle.size >= CONCURRENCY) this.#drop(oldest);
    this.#idle.set(sha256, { process, timer: setTimeout(() => this.#drop(sha256), IDLE_MS).unref() });
  }

  #drop(sha256: string): void {
    const kept = this.#idle.get(sha256);
    if (!kept) return;
    clearTimeout(kept.timer);
    kept.process.kill();
    this.#idle.delete(sha256);
  }
}

const INSTALL = 'npm install onnxruntime-node';

/** The model failed, but its process is still usable. */
class RunFault extends Error {}

function messageOf({ inputs, outputs }: OnnxRequest): [RunMessage, Uint8Array[]] {
  const payload: Uint8Array[] = [];
  const described = Object.entries(inputs).map(([name, input]) => {
    const { dtype, shape } = input;
    if ('npy' in input) {
      const file = { path: input.npy, offset: npyHeader(dtype, shape).byteLength };
      return { name, dtype, shape, file };
    }
    payload.push(input.data);
    return { name, dtype, shape };
  });
  return [{ inputs: described, outputs }, payload];
}

function outputsOf({ header, payload }: { header: OnnxAnswer; payload: Uint8Array }): {
  outputs: Tensor[];
  durationMs: number;
} {
  if (header.kind === 'failed') throw new RunFault(shortened(header.problem));
  if (header.kind !== 'done') throw new ProcessFault('its process gave an answer that was not asked for');
  let at = 0;
  const outputs = header.outputs.map(({ dtype, shape }) => {
    if (!isDtype(dtype)) throw new RunFault(`its output is of type ${dtype}, which cannot be stored`);
    const size = bytesOf(dtype, shape);
    if (at + size > payload.byteLength) throw new ProcessFault('its process gave less than it announced');
    at += size;
    return { dtype, shape, data: payload.subarray(at - size, at) };
  });
  return { outputs, durationMs: header.durationMs };
}

/** Messages of the runtime are truncated. */
function shortened(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}
