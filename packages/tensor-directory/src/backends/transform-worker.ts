import { parentPort, workerData } from 'node:worker_threads';
import { TransformFault } from '../domain/transform/numeric.ts';
import { transform } from '../domain/transform/transform.ts';
import type { TransformTask } from './interface.ts';

/** What the thread answers: a tensor, or why there is none. */
export type TransformAnswer =
  | { readonly dtype: string; readonly shape: readonly number[]; readonly data: Uint8Array }
  | { readonly fault: string };

const task = workerData as TransformTask;
try {
  const { dtype, shape, data } = transform(task.start, task.steps, task.others, task.maxBytes);
  // A part of a larger buffer would take all of it along.
  const own = data.byteLength === data.buffer.byteLength ? data : data.slice();
  parentPort!.postMessage({ dtype, shape, data: own } satisfies TransformAnswer, [own.buffer as ArrayBuffer]);
} catch (error) {
  if (!(error instanceof TransformFault)) throw error;
  parentPort!.postMessage({ fault: error.message } satisfies TransformAnswer);
}
