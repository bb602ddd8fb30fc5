import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import type { Failure, Tensor } from '../interface.ts';
import { mustStop } from '../thread-side.ts';
import { addFiles } from './files.ts';
import { PRELUDE } from './prelude.ts';
import { putTensor, takeTensor } from './tensors.ts';
import { repeatable } from './top-level.ts';
import { Written } from './written.ts';

export interface MachineOptions {
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly outputKillBytes: number;
  readonly resultBytes: number;
  readonly fileFunction: string | undefined;
}

export type JavaScriptRequest = { readonly op: 'begin'; readonly options: MachineOptions } | CodeRequest;

export type CodeRequest =
  | { readonly op: 'run'; readonly code: string }
  | { readonly op: 'predict'; readonly code: string; readonly tensors: Readonly<Record<string, Tensor>> };

export interface JavaScriptAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly failure?: Failure;
  readonly tensor?: Tensor;
}

// With 512 kB deep recursion overflows the thread's own stack first.
const STACK_BYTES = 160 * 1024;

/** One QuickJS. A context that lives as long as the session for `run`, and a new one for each `predict`. */
export class Machine {
  readonly #options: MachineOptions;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #written: Written;

  constructor(quickjs: QuickJSWASMModule, options: MachineOptions) {
    this.#options = options;
    this.#written = new Written(options);
    this.#runtime = quickjs.newRuntime();
    // Leaves room to report that memory ran out.
    this.#runtime.setMemoryLimit(Math.floor(options.memoryBytes * 0.75));
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => mustStop() || this.#written.isTooMuch);
    this.#context = this.#newContext().context;
  }

  handle(request: CodeRequest): { answer: JavaScriptAnswer; transfer: ArrayBuffer[] } {
    this.#written = new Written(this.#options);
    const outcome = request.op === 'run' ? this.#run(request.code) : this.#predict(request.code, request.tensors);
    const failure = this.#written.isTooMuch ? ({ kind: 'output', message: '' } as const) : outcome.failure;
    const answer: JavaScriptAnswer = { ...this.#written.result(), ...(failure ? { failure } : outcome) };
    const transfer = answer.tensor ? [answer.tensor.data.buffer as ArrayBuffer] : [];
    return { answer, transfer };
  }

  #run(code: string): { failure?: Failure } {
    const { failure, handle } = evaluate(this.#context, repeatable(code));
    handle?.dispose();
    return failure ? { failure } : {};
  }

  #predict(code: string, tensors: Readonly<Record<string, Tensor>>): { failure?: Failure; tensor?: Tensor } {
    const { context, host } = this.#newContext();
    try {
      const defined = evaluate(context, `${code}\n;typeof predict === 'function' ? predict : undefined`);
      if (defined.failure) return { failure: defined.failure };
      using predict = defined.handle!;
      if (context.typeof(predict) !== 'function') return refused('The code defines no function predict(inputs)');
      using inputs = context.newObject();
      for (const [name, tensor] of Object.entries(tensors)) putTensor(context, host, inputs, name, tensor);
      const called = settle(context, context.callFunction(predict, context.undefined, inputs));
      if (called.failure) return { failure: called.failure };
      using result = called.handle!;
      return takeTensor(context, host, result, this.#options.resultBytes);
    } finally {
      host.dispose();
      context.dispose();
    }
  }

  #newContext(): { context: QuickJSContext; host: QuickJSHandle } {
    const context = this.#runtime.newContext();
    using write = context.newFunction('write', (stream, text) =>
      this.#written.add(context.getString(stream) === 'stderr' ? 'stderr' : 'stdout', context.getString(text)),
    );
    using prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
    const host = context.unwrapResult(context.callFunction(prelude, context.undefined, write));
    if (this.#options.fileFunction) addFiles(context, this.#options.fileFunction, this.#options.memoryBytes);
    return { context, host };
  }
}

type Outcome = { failure: Failure; handle?: undefined } | { failure?: undefined; handle: QuickJSHandle };

function evaluate(context: QuickJSContext, code: string): Outcome {
  return settle(context, context.evalCode(code, 'code.js', { type: 'global' }));
}

/** Lets pending promises run, and takes the value of a promise where one was returned. */
function settle(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): Outcome {
  if (result.error) return { failure: failureOf(context, result.error) };
  const jobs = context.runtime.executePendingJobs();
  if (jobs.error) {
    result.value.dispose();
    return { failure: failureOf(context, jobs.error as QuickJSHandle) };
  }
  const state = context.getPromiseState(result.value);
  if (state.type === 'fulfilled' && state.notAPromise) return { handle: result.value };
  if (state.type === 'pending') return { handle: result.value };
  result.value.dispose();
  return state.type === 'rejected' ? { failure: failureOf(context, state.error) } : { handle: state.value };
}

const refused = (message: string) => ({ failure: { kind: 'refused', message } as const });

function failureOf(context: QuickJSContext, error: QuickJSHandle): Failure {
  const thrown: unknown = context.dump(error);
  error.dispose();
  // Without memory left there is no error object either.
  if (thrown === null && isFull(context)) return { kind: 'memory', message: '' };
  if (typeof thrown !== 'object' || thrown === null || !('name' in thrown)) return thrownValue(thrown);
  const { name, message, stack } = thrown as { name: unknown; message?: unknown; stack?: unknown };
  if (name === 'InternalError' && message === 'out of memory') return { kind: 'memory', message: '' };
  if (name === 'InternalError' && message === 'interrupted') return { kind: 'interrupted', message: '' };
  const line = `${String(name)}: ${String(message ?? '')}`.slice(0, 4_000);
  return { kind: 'exception', message: line, traceback: `${line}\n${String(stack ?? '')}`.trim().slice(0, 16_000) };
}

/** Not an Error, or one that could not be taken apart for want of memory. */
function thrownValue(thrown: unknown): Failure {
  const text = String(thrown).slice(0, 4_000);
  return text.includes('out of memory')
    ? { kind: 'memory', message: '' }
    : { kind: 'exception', message: `Thrown: ${text}` };
}

function isFull(context: QuickJSContext): boolean {
  const usage = context.runtime.computeMemoryUsage().consume((handle) => context.dump(handle));
  return !(usage?.memory_used_size < usage?.malloc_limit / 2);
}
