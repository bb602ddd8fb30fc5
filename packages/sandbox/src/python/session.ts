import { randomUUID } from 'node:crypto';
import { access, constants, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type {
  CodeSession,
  EndReason,
  FileGrants,
  Limits,
  Prediction,
  RunOptions,
  RunResult,
  TensorInput,
} from '../interface.ts';
import { resolveWallMs } from '../limits.ts';
import { codeTooLong, notRun, sessionOver } from '../results.ts';
import type { SessionPool } from '../session-pool.ts';
import { tensorProblem } from '../tensor.ts';
import { call } from './call.ts';
import { Child } from './child.ts';
import { FileDesk } from './file-desk.ts';
import type { Frame } from './frames.ts';
import type { Zygote } from './zygote.ts';

export interface PythonSessionOptions {
  readonly zygote: Zygote;
  readonly pool: SessionPool;
  readonly limits: Limits;
  readonly files: FileGrants | undefined;
  readonly readableFolders: readonly string[];
}

/** Of a whole session; each call has its wall time besides. */
const CPU_SECONDS = 6 * 3_600;
/** The kernel counts all threads of a user, so room is left for those that are already there. */
const THREADS = 256;
const HEADER_ROOM = 64 * 1024;

/** A session in a child of the prewarmed parent. The child is forked with the first call. */
export class PythonSession implements CodeSession {
  readonly id = randomUUID();
  ended: EndReason | undefined;
  readonly #options: PythonSessionOptions;
  #child: Child | undefined;
  #desk: FileDesk | undefined;
  #calls = 0;
  #stop: (() => void) | undefined;

  constructor(options: PythonSessionOptions) {
    this.#options = options;
  }

  run(code: string, options: RunOptions = {}): Promise<RunResult> {
    return this.#options.pool.use(this, async () => (await this.#call('run', code, {}, options)).result);
  }

  predict(code: string, tensors: Readonly<Record<string, TensorInput>>, options: RunOptions = {}): Promise<Prediction> {
    return this.#options.pool.use(this, async () => {
      for (const [name, tensor] of Object.entries(tensors)) {
        const problem = 'npy' in tensor ? await fileProblem(tensor.npy) : tensorProblem(tensor);
        if (problem) return notRun('refused', `Tensor '${name}': ${problem}`);
      }
      const { result, answer } = await this.#call('predict', code, tensors, options);
      return result.ok && answer ? this.#prediction(result, answer) : result;
    });
  }

  async interrupt(): Promise<void> {
    this.#stop?.();
  }

  async close(): Promise<void> {
    await this.#options.pool.leave(this, 'closed');
  }

  async end(reason: EndReason): Promise<void> {
    this.ended ??= reason;
    const child = this.#child;
    this.#child = undefined;
    await child?.end();
  }

  async #call(
    op: 'run' | 'predict',
    code: string,
    tensors: Readonly<Record<string, TensorInput>>,
    options: RunOptions,
  ) {
    const { limits, pool } = this.#options;
    const wallMs = resolveWallMs(limits, options.timeoutMs);
    if (this.ended) return { result: sessionOver(this.ended) };
    const size = Buffer.byteLength(code);
    if (size > limits.codeBytes) return { result: codeTooLong(size, limits.codeBytes) };

    const { sources, buffers, paths } = await this.#place(tensors);
    let child: Child;
    try {
      child = this.#child ??= await this.#start(paths);
    } catch (error) {
      await pool.leave(this, 'killed');
      return { result: notRun('unavailable', `The session could not start: ${(error as Error).message}`, false) };
    }
    if (this.ended) return { result: sessionOver(this.ended) };
    const outcome = await call(child, { op, code, tensors: sources }, buffers, {
      id: ++this.#calls,
      limits,
      wallMs,
      signal: options.signal,
      onQuestion: (question) => this.#desk!.answer(question),
      onStart: (stop) => {
        this.#stop = stop;
      },
    });
    this.#stop = undefined;
    if (!outcome.result.statePreserved) await pool.leave(this, 'killed');
    return outcome;
  }

  async #start(paths: readonly string[]): Promise<Child> {
    const { zygote, limits, files } = this.#options;
    const { memoryBytes, scratchBytes, resultBytes } = limits;
    const shared = { memoryBytes, scratchBytes, resultBytes, fileFunction: files?.functionName };
    const spec = { ...shared, open: paths, cpuSeconds: CPU_SECONDS, processes: (await liveTasks()) + THREADS };
    const child = await Child.start(zygote, spec, resultBytes + HEADER_ROOM);
    this.#desk = new FileDesk(files, child.fork);
    return child;
  }

  /**
   * How each tensor gets in. A file in a readable folder is opened by the child before its lockdown, so only a first
   * call can have that; other files are copied to where the session can read them.
   */
  async #place(tensors: Readonly<Record<string, TensorInput>>) {
    const sources: Record<string, object> = {};
    const [buffers, paths]: [Uint8Array[], string[]] = [[], []];
    for (const [name, tensor] of Object.entries(tensors)) {
      if (!('npy' in tensor)) {
        sources[name] = { buffer: buffers.push(tensor.data) - 1, dtype: tensor.dtype, shape: tensor.shape };
      } else if (!this.#child && this.#isReadable(tensor.npy)) {
        sources[name] = { opened: paths.push(resolve(tensor.npy)) - 1 };
      } else {
        sources[name] = { npy: buffers.push(await readFile(tensor.npy)) - 1 };
      }
    }
    return { sources, buffers, paths };
  }

  #isReadable(path: string): boolean {
    const { zygote, readableFolders } = this.#options;
    return !zygote.bubblewrap || readableFolders.some((folder) => resolve(path).startsWith(`${folder}/`));
  }

  #prediction(result: RunResult, { header, buffers }: Frame): Prediction {
    const { dtype, shape } = header;
    const bytes = buffers[0] ?? Buffer.alloc(0);
    const tensor = {
      dtype,
      shape,
      data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    } as Required<Prediction>['tensor'];
    const problem =
      tensorProblem(tensor) ?? (tensor.data.byteLength > this.#options.limits.resultBytes ? 'too large' : undefined);
    if (problem)
      return { ...result, ok: false, failure: { kind: 'refused', message: `The result is no tensor: ${problem}` } };
    return { ...result, tensor };
  }
}

async function fileProblem(path: string): Promise<string | undefined> {
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isReadable ? undefined : 'its file cannot be read';
}

async function liveTasks(): Promise<number> {
  const text = await readFile('/proc/loadavg', 'utf8').catch(() => '');
  return Number(/\/(\d+)/.exec(text)?.[1] ?? 4_096);
}
