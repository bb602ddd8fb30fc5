import { InputRequired, type Json, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import type { RunResult, SandboxError } from '@atoll-mcp/sandbox';
import type { CallerHandle, SuspendedCalls } from '../upstreams/bridge/suspended-calls.ts';
import { confirmByElicitation, plannedWrite } from './confirm-writes.ts';
import { needsCode, noSandbox, notAccepted, programFailed, programsDisabled, programTimedOut } from './errors.ts';
import { PausedPrograms } from './paused-programs.ts';
import { type PausedPlan, Program, type ProgramCaller } from './program.ts';
import { type Answer, callsOf } from './program-answer.ts';
import type { ProgramHost } from './program-calls.ts';
import type { Language, Sandboxes } from './sandboxes.ts';

export interface RunToolsInput {
  readonly code?: string | undefined;
  readonly language: Language;
  readonly timeout_ms: number;
  readonly plan_id?: string | undefined;
  readonly further: boolean;
}

interface CodeModeOptions {
  readonly host: ProgramHost;
  readonly sandboxes: Sandboxes;
  readonly suspended: SuspendedCalls;
  /** The owner of an unfinished program and of a kept result. */
  readonly callerOf: (context: RequestContext) => string;
  /** A program's value as its caller gets it: a large one is stored instead. */
  readonly bounded: (value: unknown, context: RequestContext) => unknown;
}

interface Running {
  readonly program: Program;
  readonly done: Promise<RunResult>;
}

/** Runs programs that call tools. */
export class CodeMode {
  readonly #options: CodeModeOptions;
  readonly #paused = new PausedPrograms();
  #started = 0;

  constructor(options: CodeModeOptions) {
    this.#options = options;
  }

  async run(input: RunToolsInput, request: RequestContext): Promise<Answer> {
    try {
      return await this.#run(input, request);
    } catch (error) {
      throw error instanceof ProtocolFault ? notAccepted(error) : error;
    }
  }

  async #run(input: RunToolsInput, request: RequestContext): Promise<Answer> {
    const { host, suspended } = this.#options;
    if (!host.viewOf(request).runsPrograms) throw programsDisabled();
    if (request.era === 'legacy') {
      return this.#answer(input, { context: request, signal: request.signal, ask: request.ask });
    }
    const binding = `run_tools ${JSON.stringify(input)}`;
    const step =
      request.requestState === undefined
        ? await suspended.begin(binding, request, async (caller, question) => ({
            text: '',
            value: { ...(await this.#answer(input, inRounds(caller, question))) },
          }))
        : await suspended.resume(binding, request);
    if ('answer' in step) return step.answer.value as unknown as Answer;
    throw new InputRequired(step.questions, step.requestState);
  }

  async close(): Promise<void> {
    this.#paused.close();
    await this.#options.sandboxes.close();
  }

  async #answer(input: RunToolsInput, caller: ProgramCaller): Promise<Answer> {
    const running = input.plan_id === undefined ? this.#start(input, caller) : this.#confirm(input, caller);
    const { program, done } = running;
    const step = await program.next(done, caller);
    return 'ended' in step ? this.#ended(program, step.ended, caller) : this.#pause(running, step.paused, caller);
  }

  #start({ code, language, timeout_ms: timeoutMs }: RunToolsInput, caller: ProgramCaller): Running {
    if (code === undefined) throw needsCode();
    const { host, sandboxes, callerOf } = this.#options;
    const number = ++this.#started;
    const program = new Program({ number, code, language, timeoutMs, caller, host, confirm: confirmByElicitation });
    const done = sandboxes
      .use(language, callerOf(caller.context), (session) => program.run(session))
      .catch((error: Error) => {
        throw error.name === 'SandboxError' ? noSandbox(error as SandboxError) : error;
      });
    return { program, done };
  }

  #confirm({ plan_id: id = '', code, further }: RunToolsInput, caller: ProgramCaller): Running {
    const { program, done, plan } = this.#paused.take(id, this.#options.callerOf(caller.context), code);
    // In its own microtask, so that the listener for the next pause is attached first.
    queueMicrotask(() => plan.decide({ isConfirmed: true, further }));
    return { program, done };
  }

  #pause({ program, done }: Running, plan: PausedPlan, caller: ProgramCaller): Answer {
    this.#paused.keep({ program, done, plan, caller: this.#options.callerOf(caller.context) });
    return {
      result: null,
      output: program.output,
      program: program.number,
      ...callsOf(program.calls),
      plan: {
        id: plan.id,
        writes: plan.writes.map(plannedWrite),
        next: 'Nothing of this has been called yet. To make exactly these calls and go on, call run_tools with this id as plan_id; else do nothing.',
      },
    };
  }

  #ended(program: Program, ended: RunResult, caller: ProgramCaller): Answer {
    const trace = { output: program.output, program: program.number, ...callsOf(program.calls) };
    if (program.isTimedOut) throw programTimedOut(program.timeoutMs, trace);
    if (ended.failure) throw programFailed(ended.failure, program.code, trace);
    const isCut = ended.truncated.stdout || ended.truncated.stderr;
    const result = this.#options.bounded(ended.value ?? null, caller.context);
    const isSilent = ended.value === undefined && program.output === '';
    return { result, ...trace, ...(isCut && { output_truncated: true }), ...(isSilent && { note: SILENT }) };
  }
}

const SILENT = 'The program returned no value and printed nothing; end it with a return or an expression, or print';

function inRounds(handle: CallerHandle, question: (method: string, params: Json) => Promise<Json>): ProgramCaller {
  return {
    get context() {
      return handle.context;
    },
    signal: handle.abort.signal,
    ask: question,
  };
}
