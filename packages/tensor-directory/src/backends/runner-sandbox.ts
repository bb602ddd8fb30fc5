import { Semaphore } from '@atoll-mcp/core';
import type { Tensor } from '@atoll-mcp/formats/dtypes';
import type { CodeRuntime, CodeSession, SandboxError } from '@atoll-mcp/sandbox';
import { noSandbox, runFailed } from '../errors.ts';
import type { Language } from '../schemas.ts';
import type { CodeRunner, RunRequest } from './interface.ts';

/** Concurrent runs; more wait in a queue. */
const CONCURRENCY = 4;

/** Runs models in the sandbox, each run in its own session. */
export class SandboxRunner implements CodeRunner {
  readonly #open: (language: Language) => Promise<CodeRuntime>;
  readonly #runtimes = new Map<Language, Promise<CodeRuntime>>();
  readonly #slots = new Semaphore(CONCURRENCY);

  /** `open` creates a runtime, once per language at its first run. */
  constructor(open: (language: Language) => Promise<CodeRuntime>) {
    this.#open = open;
  }

  run(request: RunRequest): Promise<{ tensor: Tensor; durationMs: number }> {
    return this.#slots.run(() => this.#predict(request), request.signal);
  }

  async close(): Promise<void> {
    const runtimes = await Promise.allSettled(this.#runtimes.values());
    await Promise.all(runtimes.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  }

  async #predict(request: RunRequest): Promise<{ tensor: Tensor; durationMs: number }> {
    const session = await this.#session(request);
    const { model, code, inputs, timeoutMs, signal } = request;
    try {
      const options = { ...(timeoutMs && { timeoutMs }), ...(signal && { signal }) };
      const { tensor, failure, durationMs } = await session.predict(code, inputs, options);
      if (tensor) return { tensor, durationMs };
      throw runFailed(model, shortened(failure?.message ?? 'it gave no result'));
    } catch (error) {
      throw isSandboxError(error) ? runFailed(model, shortened(error.message)) : error;
    } finally {
      // Not awaited: the result is complete.
      session.close().catch(() => {});
    }
  }

  async #session({ model, language }: RunRequest): Promise<CodeSession> {
    try {
      const runtime = this.#runtimes.get(language) ?? this.#open(language);
      this.#runtimes.set(language, runtime);
      return await (await runtime).open({ purpose: 'prediction' });
    } catch (error) {
      if (isSandboxError(error)) throw noSandbox(model, error.message.replace(/\.$/, ''), error.fix);
      throw error;
    }
  }
}

/** By name: importing the class would load the sandbox with the contract. */
function isSandboxError(error: unknown): error is SandboxError {
  return error instanceof Error && error.name === 'SandboxError';
}

/** Messages of code are truncated. */
function shortened(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}
