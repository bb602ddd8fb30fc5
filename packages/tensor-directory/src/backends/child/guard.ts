import { writeFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker, workerData } from 'node:worker_threads';
import { OUT_OF_MEMORY, writeFrame } from './frames.ts';

const POLL_MS = 20;

interface Watched {
  readonly memoryBytes: number;
  readonly parent: number;
}

/** For the main thread of a program: has its own file watch over it in a thread, and returns where answers go. */
export function guard(program: string, memoryBytes: number) {
  preferToBeKilled();
  new Worker(new URL(program), { workerData: { memoryBytes, parent: process.ppid } satisfies Watched }).unref();
  // Answers go to descriptor 3: a library may print to standard output.
  const answers = new Socket({ fd: 3, readable: false, writable: true });
  return (header: object, payload?: readonly Uint8Array[]) => writeFrame(answers, header, payload);
}

/** For the thread: ends the process when it takes too much memory, or when the server is gone while the main thread is busy. */
export function watch(): void {
  const { memoryBytes, parent } = workerData as Watched;
  setInterval(() => {
    const isTooLarge = process.memoryUsage.rss() > memoryBytes;
    if (isTooLarge) writeSync(2, OUT_OF_MEMORY);
    if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, POLL_MS);
}

/** Where memory is short, Linux ends this process before any other. */
function preferToBeKilled(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Elsewhere the limit that the thread watches is all there is.
  }
}
