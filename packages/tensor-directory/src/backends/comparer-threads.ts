import { Worker } from 'node:worker_threads';
import { Semaphore } from '@atoll-mcp/core';
import type { DifferenceFigures } from '../domain/compare/difference.ts';
import { damaged } from '../errors.ts';
import type { DifferenceAnswer } from './difference-worker.ts';
import type { DifferenceTask, FileComparer } from './interface.ts';

// When run from source (tests), the built program is in dist.
const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/backends/difference-worker.js' : './backends/difference-worker.js',
  import.meta.url,
);

const IDLE_MS = 5_000;

/** Compares files in threads, which are kept briefly for the next pair. */
export class ThreadComparer implements FileComparer {
  readonly atOnce = 2;
  readonly #slots = new Semaphore(this.atOnce);
  readonly #idle = new Map<Worker, NodeJS.Timeout>();

  compare(task: DifferenceTask, signal?: AbortSignal): Promise<DifferenceFigures> {
    return this.#slots.run(async () => {
      const thread = this.#take();
      try {
        const answer = await ask(thread, task, signal);
        this.#keep(thread);
        if ('figures' in answer) return answer.figures;
        if ('failed' in answer) throw new Error(answer.failed);
        throw damaged(task[answer.damaged].label);
      } catch (error) {
        if (!this.#idle.has(thread)) await thread.terminate();
        throw error;
      }
    }, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#idle.keys()].map((thread) => this.#end(thread)));
  }

  #take(): Worker {
    const [kept] = this.#idle;
    if (!kept) return new Worker(program);
    const [thread, timer] = kept;
    clearTimeout(timer);
    this.#idle.delete(thread);
    thread.ref();
    return thread;
  }

  #keep(thread: Worker): void {
    thread.unref();
    this.#idle.set(thread, setTimeout(() => void this.#end(thread), IDLE_MS).unref());
  }

  async #end(thread: Worker): Promise<void> {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    await thread.terminate();
  }
}

function ask(thread: Worker, task: DifferenceTask, signal: AbortSignal | undefined): Promise<DifferenceAnswer> {
  return new Promise<DifferenceAnswer>((resolve, reject) => {
    const onAbort = () => reject(signal!.reason);
    const onExit = () => reject(new Error('The thread ended before it was done'));
    const settle = () => {
      thread.off('message', done).off('error', failed).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
    };
    const done = (answer: DifferenceAnswer) => {
      settle();
      resolve(answer);
    };
    const failed = (error: Error) => {
      settle();
      reject(error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    thread.on('message', done).on('error', failed).on('exit', onExit);
    thread.postMessage(task);
  });
}
