import { writeFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker, workerData } from 'node:worker_threads';
import { OUT_OF_MEMORY, writeFrame } from './frames.ts';

const POLL_MS = 20;

interface Watched {
  readonly memoryBytes: number;
  readonly parent: number;
}

/** For the main thread of a program: starts the watching thread from the same file and returns the answer stream. */
export function guard(program: string, memoryBytes: number) {
  preferToBeKilled();
  new Worker(new URL(program), { workerData: { memoryBytes, parent: process.ppid } satisfies Watched }).unref();
  // Answers go to descriptor 3: a library may print to standard output.
  const answers = new Socket({ fd: 3, readable: false, writable: true });
  return (header: object, payload?: readonly Uint8Array[]) => writeFrame(answers, header, payload);
}

/** For the watching thread: ends the process if it uses too much memory, or if the server has exited. */
export function watch(): void {
  const { memoryBytes, parent } = workerData as Watched;
  setInterval(() => {
    const isTooLarge = process.memoryUsage.rss() > memoryBytes;
    if (isTooLarge) writeSync(2, OUT_OF_MEMORY);
    if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, POLL_MS);
}

/** Makes the OOM killer of Linux choose this process first. */
function preferToBeKilled(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not available on other systems; the watching thread still limits memory.
  }
}
