import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import type { Failure, OutputFile, RefusedFile, Tensor } from '../interface.ts';
import { mustStop } from '../thread-side.ts';
import { isPending, runScript, settle } from './evaluate.ts';
import { addFiles } from './files.ts';
import { type PendingCallLimits, PendingCalls } from './pending-calls.ts';
import { PRELUDE } from './prelude.ts';
import { putTensor, takeTensor } from './tensors.ts';
import { Written } from './written.ts';
import { type WrittenFileLimits, WrittenFiles } from './written-files.ts';

interface MachineOptions extends PendingCallLimits, WrittenFileLimits {
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly outputKillBytes: number;
  readonly resultBytes: number;
  readonly fileFunction: string | undefined;
}

export type JavaScriptRequest = { readonly op: 'begin'; readonly options: MachineOptions } | CodeRequest;

export type CodeRequest =
  | (RunFlags & { readonly op: 'run'; readonly code: string })
  | { readonly op: 'predict'; readonly code: string; readonly tensors: Readonly<Record<string, Tensor>> };

interface RunFlags {
  /** Whether the run has host functions, returns a value, sends its output while it runs, and returns files. */
  readonly host?: boolean;
  readonly returnValue?: boolean;
  readonly streams?: boolean;
  readonly collectFiles?: boolean;
}

export interface JavaScriptAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly failure?: Failure;
  readonly tensor?: Tensor;
  /** As JSON. */
  readonly value?: string;
  readonly files?: readonly OutputFile[];
  readonly refusedFiles?: readonly RefusedFile[];
}

type Ran = Pick<JavaScriptAnswer, 'failure' | 'tensor' | 'value'>;

// With 512 kB deep recursion overflows the thread's own stack first.
const STACK_BYTES = 160 * 1024;

/** One QuickJS. A context that lives as long as the session for `run`, and a new one for each `predict`. */
export class Machine {
  readonly #options: MachineOptions;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #host: QuickJSHandle;
  readonly #calls: PendingCalls;
  #files: WrittenFiles | undefined;
  #written: Written;

  constructor(quickjs: QuickJSWASMModule, options: MachineOptions) {
    this.#options = options;
    this.#written = new Written(options);
    this.#runtime = quickjs.newRuntime();
    // Leaves room to report that memory ran out.
    this.#runtime.setMemoryLimit(Math.floor(options.memoryBytes * 0.75));
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => mustStop() || this.#written.isTooMuch);
    const { context, host } = this.#newContext();
    this.#context = context;
    this.#host = host;
    this.#calls = new PendingCalls(context, options, () => this.#written.flush());
  }

  async handle(request: CodeRequest): Promise<{ answer: JavaScriptAnswer; transfer: ArrayBuffer[] }> {
    this.#written = new Written(this.#options, request.op === 'run' && request.streams);
    const ran: Ran = request.op === 'run' ? await this.#run(request) : this.#predict(request.code, request.tensors);
    const failure = this.#written.isTooMuch ? ({ kind: 'output', message: '' } as const) : ran.failure;
    const files = request.op === 'run' && request.collectFiles ? this.#files?.take() : undefined;
    const answer: JavaScriptAnswer = { ...this.#written.result(), ...(failure ? { failure } : ran), ...files };
    const data = [...(answer.tensor ? [answer.tensor] : []), ...(answer.files ?? [])].map((each) => each.data.buffer);
    return { answer, transfer: data as ArrayBuffer[] };
  }

  /** Frees everything of it; throws where something is left over, which must not be used again. */
  dispose(): void {
    this.#calls.clear();
    this.#host.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  async #run({
    code,
    host = false,
    returnValue = false,
    collectFiles = false,
  }: Extract<CodeRequest, { op: 'run' }>): Promise<Ran> {
    this.#calls.begin(host);
    if (host) this.#allowCalls();
    if (collectFiles) this.#allowFiles();
    try {
      const { failure, handle } = await runScript(this.#context, code, this.#calls);
      if (failure) return { failure };
      using value = handle;
      return returnValue ? this.#value(value) : {};
    } finally {
      this.#calls.clear();
    }
  }

  #predict(code: string, tensors: Readonly<Record<string, Tensor>>): Ran {
    const { context, host } = this.#newContext();
    try {
      const source = `${code}\n;typeof predict === 'function' ? predict : undefined`;
      const defined = settle(context, context.evalCode(source, 'code.js', { type: 'global' }));
      if (defined.failure) return { failure: defined.failure };
      using predict = defined.handle;
      if (context.typeof(predict) !== 'function') return refused('The code defines no function predict(inputs)');
      using inputs = context.newObject();
      for (const [name, tensor] of Object.entries(tensors)) putTensor(context, host, inputs, name, tensor);
      const called = settle(context, context.callFunction(predict, context.undefined, inputs));
      if (called.failure) return { failure: called.failure };
      using result = called.handle;
      return takeTensor(context, host, result, this.#options.resultBytes);
    } finally {
      host.dispose();
      context.dispose();
    }
  }

  /** Gives the code `call(name, args)`. */
  #allowCalls(): void {
    const context = this.#context;
    using define = context.getProp(this.#host, 'defineCall');
    using native = context.newFunction('call', (name, json, settled) => this.#calls.add(name, json, settled));
    context.unwrapResult(context.callFunction(define, context.undefined, native)).dispose();
  }

  /** Gives the code `writeText` and `writeBytes`. */
  #allowFiles(): void {
    if (this.#files) return void this.#files.take(); // of a run that did not ask for them
    const context = this.#context;
    this.#files = new WrittenFiles(this.#options);
    this.#files.define(context);
    using wrap = context.getProp(this.#host, 'wrapBytes');
    context.unwrapResult(context.callFunction(wrap, context.undefined)).dispose();
  }

  #value(handle: QuickJSHandle): Ran {
    const context = this.#context;
    if (isPending(context, handle)) return refused('The code returns a promise that is never settled');
    using toJson = context.getProp(this.#host, 'toJson');
    const made = context.callFunction(toJson, context.undefined, handle);
    const settled = settle(context, made);
    if (settled.failure) {
      const { kind, message } = settled.failure;
      return kind === 'exception' ? refused(`The value that the code returns is not JSON: ${message}`) : settled;
    }
    using json = settled.handle;
    return context.typeof(json) === 'string' ? { value: context.getString(json) } : {};
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

const refused = (message: string) => ({ failure: { kind: 'refused', message } as const });
