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

/** Serves requests one after another. What throws here ends the thread. */
export function serve<Request>(handle: (request: Request) => { answer: object; transfer?: ArrayBuffer[] }): void {
  parentPort!.on('message', (request: Request) => {
    const { answer, transfer = [] } = handle(request);
    parentPort!.postMessage(answer, transfer);
  });
  parentPort!.postMessage('ready');
}
