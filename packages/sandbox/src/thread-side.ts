import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ANSWERED, STOP, type ThreadData, WAITING } from './thread.ts';
import type { CallResult, FileReply, FromThread, ToThread } from './thread-messages.ts';

const { flags, wasm } = workerData as ThreadData;
let results: CallResult[] = [];
let wake: (() => void) | undefined;

export { wasm };

/** Whether the host wants the current request to stop. */
export const mustStop = () => Atomics.load(flags, STOP) === 1;

export const send = (message: FromThread) => parentPort!.postMessage(message);

/** Asks the host for a file and sleeps until it has answered. */
export function askForFile(id: string, name: string): FileReply {
  Atomics.store(flags, ANSWERED, 0);
  send({ type: 'file', id, name });
  Atomics.wait(flags, ANSWERED, 0);
  for (;;) {
    const message = receiveMessageOnPort(parentPort!)?.message as ToThread | undefined;
    if (!message) return { error: 'The file cannot be read' };
    if (message.type === 'file') return message.reply;
    receive(message); // results of calls may arrive in between
  }
}

/** Waits for results of calls, or for the host to want a stop. */
export async function nextResults(): Promise<CallResult[]> {
  if (results.length === 0 && !mustStop()) {
    Atomics.store(flags, WAITING, 1);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    Atomics.store(flags, WAITING, 0);
  }
  const arrived = results;
  results = [];
  return arrived;
}

interface Served {
  readonly answer: object;
  readonly transfer?: ArrayBuffer[];
}

/** Serves requests one after another. What throws here ends the thread. */
export function serve<Request>(handle: (request: Request) => Served | Promise<Served>): void {
  parentPort!.on('message', async (message: ToThread) => {
    if (message.type !== 'request') return receive(message);
    results = [];
    const { answer, transfer = [] } = await handle(message.request as Request);
    parentPort!.postMessage({ type: 'answer', answer } satisfies FromThread, transfer);
  });
  parentPort!.postMessage('ready');
}

function receive(message: ToThread): void {
  if (message.type === 'result') results.push(message);
  wake?.();
  wake = undefined;
}
