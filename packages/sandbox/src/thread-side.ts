import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ANSWERED, STOP } from './thread.ts';

const flags = (workerData as { flags: Int32Array } | null)?.flags ?? new Int32Array(2);

/** Whether the host wants the current request to stop. */
export const mustStop = () => Atomics.load(flags, STOP) === 1;

/** Asks the host and sleeps until it has answered. */
export function askHost<Reply>(question: { ask: string; id: string; name: string }): Reply {
  Atomics.store(flags, ANSWERED, 0);
  parentPort!.postMessage(question);
  Atomics.wait(flags, ANSWERED, 0);
  return receiveMessageOnPort(parentPort!)?.message as Reply;
}

export interface Served {
  readonly answer: object;
  readonly transfer?: ArrayBuffer[];
}

/** Serves requests one after another. What throws here ends the thread. */
export function serve<Request>(handle: (request: Request) => Served | Promise<Served>): void {
  parentPort!.on('message', async (request: Request) => {
    const { answer, transfer = [] } = await handle(request);
    parentPort!.postMessage(answer, transfer);
  });
  parentPort!.postMessage('ready');
}
