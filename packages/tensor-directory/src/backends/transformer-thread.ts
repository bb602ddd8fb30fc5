import { Worker } from 'node:worker_threads';
import { Semaphore } from '@atoll-mcp/core';
import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { TransformFault } from '../domain/transform/numeric.ts';
import type { Transformer, TransformTask } from './interface.ts';
import type { TransformAnswer } from './transform-worker.ts';

// When run from source (tests), the built program is in dist.
const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/backends/transform-worker.js' : './backends/transform-worker.js',
  import.meta.url,
);

const CONCURRENCY = 2;
const MAX_MS = 120_000;
/** Objects only: the values are in buffers, which are limited by their own sizes. */
const HEAP_MEGABYTES = 256;

/** Runs each transformation in its own thread, with a timeout. */
export class ThreadTransformer implements Transformer {
  readonly #slots = new Semaphore(CONCURRENCY);

  transform(task: TransformTask, signal?: AbortSignal): Promise<Tensor> {
    return this.#slots.run(() => compute(task, signal), signal);
  }
}

function compute(task: TransformTask, signal: AbortSignal | undefined): Promise<Tensor> {
  const buffers = [task.start, ...Object.values(task.others)].map(({ data }) => data.buffer as ArrayBuffer);
  const thread = new Worker(program, {
    workerData: task,
    transferList: [...new Set(buffers)],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  return new Promise<Tensor>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TransformFault(`it took longer than ${MAX_MS / 1000} s`)),
      MAX_MS,
    ).unref();
    const onAbort = () => reject(signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    thread.once('message', (answer: TransformAnswer) => {
      // The thread is our own program, and answers with a dtype of ours.
      if ('fault' in answer) reject(new TransformFault(answer.fault));
      else resolve(answer as Tensor);
    });
    thread.once('error', (error: Error & { code?: string }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TransformFault('it needs too much memory') : error),
    );
    thread.once('exit', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(new TransformFault('it was ended before it was done'));
    });
  }).finally(() => thread.terminate());
}
