import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { HostCalls } from '../host-calls.ts';
import type { HostFunction, Limits, RunOptions, RunResult } from '../interface.ts';
import type { Child } from './child.ts';
import { answeredFailure, exitFailure } from './failures.ts';
import type { Answer, FileQuestion, HostCall } from './messages.ts';
import { Output } from './output.ts';
import { Watchdog } from './watchdog.ts';

export interface CallOptions {
  readonly id: number;
  readonly limits: Limits;
  readonly wallMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly host?: HostFunction | undefined;
  readonly onOutput?: RunOptions['onOutput'];
  /** Answers questions for files while the code runs. */
  onFile(question: FileQuestion): Promise<object>;
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
  const calls = new HostCalls({ host: options.host, limits });
  const watchdog = new Watchdog(child, limits, wallMs, signal, () => calls.end());
  options.onStart(watchdog.interrupt);
  const output = (stream: 'stdout' | 'stderr') => {
    const { onOutput } = options;
    return new Output(limits.outputBytes, watchdog.count, onOutput && ((text) => onOutput(stream, text)));
  };
  const [out, err] = [output('stdout'), output('stderr')];
  const over = new AbortController();
  const complete = Promise.all([
    collect(child.fork.stdout, out, mark, over),
    collect(child.fork.stderr, err, mark, over),
  ]);
  const answered = nextAnswer(child, options, calls);

  child.resume();
  child.send({ ...request, id, mark }, buffers);
  const outcome = await Promise.race([answered, child.exit]);
  calls.end();
  const durationMs = performance.now() - started;
  await Promise.race([complete, outputTimeout(over)]);
  over.abort();
  await watchdog.rest();
  // An interrupt goes through the parent, a request doesn't: it must not overtake and hit the next call.
  if (watchdog.stopped) await child.signalsSent();
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

/** Settles when the call's output is complete, or the stream is closed. */
function collect(stream: Child['fork']['stdout'], output: Output, mark: string, over: AbortController): Promise<void> {
  const done = output.begin(mark);
  stream
    .removeAllListeners('data')
    .on('data', (data: Buffer) => output.push(data))
    .resume();
  return Promise.race([done, once(stream, 'close', { signal: over.signal }).then(noop, noop)]);
}

/** Settles with the answer; until then serves what the worker asks for, one thing at a time. */
function nextAnswer(child: Child, { id, onFile }: CallOptions, calls: HostCalls): Promise<Answer> {
  let isAsking = false;
  let isAnswered = false;
  const reply = async (question: FileQuestion | HostCall) => {
    isAsking = true;
    const [header, buffers] = question.type === 'file' ? [await onFile(question), []] : await callHost(calls, question);
    isAsking = false;
    if (!isAnswered) child.send({ ...header, reply: question.ask }, buffers);
  };
  return new Promise((resolve) => {
    child.onMessage = (message) => {
      if (message.type === 'answer' && message.id === id) {
        isAnswered = true;
        resolve(message);
      } else if ((message.type === 'file' || message.type === 'call') && !isAsking)
        reply(message).catch(() => child.kill());
      else child.endForProtocol();
    };
  });
}

async function callHost(calls: HostCalls, { name, args }: HostCall): Promise<[object, Uint8Array[]]> {
  const outcome = await calls.run(name, args);
  return outcome.ok ? [{}, [Buffer.from(outcome.json)]] : [{ error: outcome.error }, []];
}

function outputTimeout(over: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, OUTPUT_MS);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
