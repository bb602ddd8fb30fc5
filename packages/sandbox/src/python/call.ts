import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Limits, RunResult } from '../interface.ts';
import type { Child } from './child.ts';
import { answeredFailure, exitFailure } from './failures.ts';
import type { Answer, FileQuestion } from './messages.ts';
import { Output } from './output.ts';
import { Watchdog } from './watchdog.ts';

export interface CallOptions {
  readonly id: number;
  readonly limits: Limits;
  readonly wallMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Answers what the code asks of the host while it runs. */
  onQuestion(question: FileQuestion): Promise<object>;
  /** Called once with a function that stops this call softly. */
  onStart(stop: () => void): void;
}

export interface CallResult {
  readonly result: RunResult;
  /** The worker's answer, if it gave one. */
  readonly answer?: Answer;
}

/** Output that belongs to a call but never came is not waited for longer than this. */
const OUTPUT_MS = 1_000;
const noop = () => {};

/** One request to a child and everything that can become of it. */
export async function call(
  child: Child,
  request: object,
  buffers: Uint8Array[],
  options: CallOptions,
): Promise<CallResult> {
  const { id, limits, wallMs, signal } = options;
  const started = performance.now();
  const mark = randomBytes(12).toString('hex');
  const watchdog = new Watchdog(child, limits, wallMs, signal);
  options.onStart(watchdog.interrupt);
  const [out, err] = [new Output(limits.outputBytes, watchdog.count), new Output(limits.outputBytes, watchdog.count)];
  const over = new AbortController();
  const complete = Promise.all([
    collect(child.fork.stdout, out, mark, over),
    collect(child.fork.stderr, err, mark, over),
  ]);
  const answered = nextAnswer(child, id, options.onQuestion);

  child.resume();
  child.send({ ...request, id, mark }, buffers);
  const outcome = await Promise.race([answered, child.exit]);
  const durationMs = performance.now() - started;
  await Promise.race([complete, patience(over)]);
  over.abort();
  await watchdog.rest();
  child.onMessage = () => child.endForProtocol();

  // A kill may have been on its way while the worker answered.
  const status =
    typeof outcome === 'number'
      ? outcome
      : watchdog.hasKilled || child.hasBrokenProtocol
        ? await child.exit
        : undefined;
  const answer = status === undefined ? (outcome as Answer) : undefined;
  if (answer) child.pause();
  const circumstances = { stopped: watchdog.stopped, hasBrokenProtocol: child.hasBrokenProtocol, limits, wallMs };
  const [stdout, stderr] = [out.text(), err.text()];
  const failure = answer
    ? answeredFailure(answer, circumstances)
    : exitFailure(status ?? 0, stderr.text, circumstances);
  const result: RunResult = {
    ok: failure === undefined,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: { stdout: stdout.truncated, stderr: stderr.truncated },
    durationMs,
    ...(failure && { failure }),
    statePreserved: answer !== undefined,
  };
  return answer ? { result, answer } : { result };
}

/** Settles when the call's output is complete, or nobody is left to write more. */
function collect(stream: Child['fork']['stdout'], output: Output, mark: string, over: AbortController): Promise<void> {
  const done = output.begin(mark);
  stream
    .removeAllListeners('data')
    .on('data', (data: Buffer) => output.push(data))
    .resume();
  return Promise.race([done, once(stream, 'close', { signal: over.signal }).then(noop, noop)]);
}

function nextAnswer(child: Child, id: number, onQuestion: CallOptions['onQuestion']): Promise<Answer> {
  let isAsking = false;
  const reply = async (question: FileQuestion) => {
    isAsking = true;
    child.send(await onQuestion(question));
    isAsking = false;
  };
  return new Promise((resolve) => {
    child.onMessage = (message) => {
      if (message.type === 'answer' && message.id === id) resolve(message);
      else if (message.type === 'file' && !isAsking) reply(message).catch(() => child.kill());
      else child.endForProtocol();
    };
  });
}

function patience(over: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, OUTPUT_MS);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
