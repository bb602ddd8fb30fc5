import { randomUUID } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { parseValue } from '../host-calls.ts';
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
import { GrantedFiles } from './granted-files.ts';
import type { Answer } from './messages.ts';
import { readFiles, readResult } from './result-file.ts';
import { filesToOpen, placeTensors } from './tensor-inputs.ts';
import type { Zygote } from './zygote.ts';

interface PythonSessionOptions {
  readonly zygote: Zygote;
  readonly pool: SessionPool;
  readonly limits: Limits;
  readonly files: FileGrants | undefined;
  readonly readableFolders: readonly string[];
}

/** Of a whole session; each call has its wall time besides. */
const CPU_SECONDS = 6 * 3_600;
const THREADS = 128;

/** A session in a child of the prewarmed parent. The child is forked with the first call. */
export class PythonSession implements CodeSession {
  readonly id = randomUUID();
  ended: EndReason | undefined;
  readonly #options: PythonSessionOptions;
  #child: Child | undefined;
  #granted: GrantedFiles | undefined;
  #calls = 0;
  #stop: (() => void) | undefined;

  constructor(options: PythonSessionOptions) {
    this.#options = options;
  }

  run(code: string, options: RunOptions = {}): Promise<RunResult> {
    return this.#options.pool.use(this, async () => {
      const { result, answer } = await this.#call('run', code, {}, options);
      return answer ? this.#completed(result, answer, options) : result;
    });
  }

  predict(code: string, tensors: Readonly<Record<string, TensorInput>>, options: RunOptions = {}): Promise<Prediction> {
    return this.#options.pool.use(this, async () => {
      for (const [name, tensor] of Object.entries(tensors)) {
        const problem = 'npy' in tensor ? fileProblem(tensor.npy) : tensorProblem(tensor);
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
    child?.end();
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

    let child: Child;
    let opened: string[] = [];
    try {
      if (!this.#child) {
        opened = filesToOpen(tensors, (path) => this.#canOpen(path));
        this.#child = await this.#start(opened);
      }
      child = this.#child;
    } catch (error) {
      await pool.leave(this, 'killed');
      return { result: notRun('unavailable', `The session could not start: ${(error as Error).message}`, false) };
    }
    if (this.ended) return { result: sessionOver(this.ended) };
    const { sources, buffers } = await placeTensors(tensors, opened, this.#granted!);
    const flags = {
      host: options.host !== undefined,
      returnValue: options.returnValue === true,
      streams: options.onOutput !== undefined,
      collectFiles: options.collectFiles === true,
    };
    const outcome = await call(child, { op, code, tensors: sources, ...flags }, buffers, {
      id: ++this.#calls,
      limits,
      wallMs,
      signal: options.signal,
      host: options.host,
      onOutput: options.onOutput,
      onFile: (question) => this.#granted!.answer(question),
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
    const { memoryBytes, scratchBytes, resultBytes, jsonBytes, outputFiles, outputFileBytes } = limits;
    const sizes = { memoryBytes, scratchBytes, resultBytes, jsonBytes, outputFiles, outputFileBytes };
    const spec = {
      ...sizes,
      fileFunction: files?.functionName,
      open: paths,
      cpuSeconds: CPU_SECONDS,
      threads: THREADS,
      processes: liveTasks() + THREADS,
    };
    const child = await Child.start(zygote, spec);
    this.#granted = new GrantedFiles(files, child.fork);
    return child;
  }

  /** Without bubblewrap a child sees all files before its lockdown; within it, those of the readable folders. */
  #canOpen(path: string): boolean {
    const { zygote, readableFolders } = this.#options;
    return !zygote.bubblewrap || readableFolders.some((folder) => path.startsWith(`${folder}/`));
  }

  /** Adds what a run returned beside its output. */
  async #completed(result: RunResult, answer: Answer, { returnValue, collectFiles }: RunOptions): Promise<RunResult> {
    const { limits } = this.#options;
    const path = this.#child?.fork.resultFile;
    const none = { files: [], refusedFiles: [] };
    const files = collectFiles && path ? await readFiles(path, answer, limits).catch(() => none) : none;
    const value = returnValue && result.ok && answer.value ? parseValue(answer.value, limits) : {};
    const complete = { ...result, ...(collectFiles && files) };
    if (typeof value !== 'string') return { ...complete, ...value };
    const message = `The value that the code returns is refused: ${value}`;
    return { ...complete, ok: false, failure: { kind: 'refused', message } };
  }

  async #prediction(result: RunResult, { tensor: described }: Answer): Promise<Prediction> {
    if (!this.#child) return sessionOver(this.ended ?? 'closed');
    const { resultFile } = this.#child.fork;
    const tensor = described
      ? await readResult(resultFile, described, this.#options.limits.resultBytes).catch(() => 'its file is gone')
      : 'it was not described';
    if (typeof tensor !== 'string') return { ...result, tensor };
    return { ...result, ok: false, failure: { kind: 'refused', message: `The result is not a tensor: ${tensor}` } };
  }
}

function fileProblem(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch {
    return 'its file cannot be read';
  }
}

/** All threads of the machine; a file of the kernel's that takes no time to read. */
function liveTasks(): number {
  return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 4_096);
}
