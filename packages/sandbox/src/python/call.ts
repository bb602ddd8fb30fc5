import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure, Limits, RunResult } from '../interface.ts';
import { bytes, limitFailure, seconds } from '../results.ts';
import type { Child } from './child.ts';
import type { Frame } from './frames.ts';
import { Output } from './output.ts';

export interface CallOptions {
  readonly id: number;
  readonly limits: Limits;
  readonly wallMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Answers what the code asks of the host while it runs. */
  onQuestion(question: Frame['header']): Promise<object>;
  /** Called once with a function that stops this call softly. */
  onStart(stop: () => void): void;
}

export interface CallResult {
  readonly result: RunResult;
  /** The worker's answer, if it gave one. */
  readonly answer?: Frame;
}

type Stop = 'timeout' | 'interrupted' | 'output' | 'scratch';
/** With this status a worker ends when the tensors alone are too large. */
const OUT_OF_MEMORY = 99;
const MARK_MS = 1_000;
const SCRATCH_LOOK_MS = 250;
const noop = () => {};
const isKill = (stop: Stop | undefined) => stop === 'output' || stop === 'scratch';

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
  const timers: NodeJS.Timeout[] = [];
  let stopped: Stop | undefined;
  let written = 0;

  const stop = (why: Stop, soft: boolean) => {
    stopped ??= why;
    if (!soft) return child.kill();
    child.interrupt();
    timers.push(setTimeout(() => child.kill(), limits.graceMs));
  };
  const count = (size: number) => {
    written += size;
    if (written > limits.outputKillBytes) stop('output', false);
  };
  const over = new AbortController();
  const outputs = { stdout: new Output(limits.outputBytes, count), stderr: new Output(limits.outputBytes, count) };
  const complete = Promise.all([listen('stdout'), listen('stderr')]);
  function listen(name: 'stdout' | 'stderr'): Promise<void> {
    const done = outputs[name].begin(mark);
    const stream = child.fork[name];
    stream
      .removeAllListeners('data')
      .on('data', (data: Buffer) => outputs[name].push(data))
      .resume();
    return Promise.race([done, once(stream, 'close', { signal: over.signal }).then(noop, noop)]);
  }

  const answered = new Promise<Frame>((resolve) => {
    child.onFrame = (frame) => {
      if (frame.header.answer === id) resolve(frame);
      else if (typeof frame.header.file === 'string')
        void options.onQuestion(frame.header).then((reply) => child.send(reply));
      else child.kill(); // no honest worker speaks out of turn
    };
  });
  const interrupt = () => stop('interrupted', true);
  options.onStart(interrupt);
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt);
  timers.push(setTimeout(() => stop('timeout', true), wallMs));
  if (!child.ownScratch) timers.push(setInterval(() => void watch(), SCRATCH_LOOK_MS));
  const watch = async () => {
    if ((await folderBytes(child.fork.scratchDir)) > limits.scratchBytes) stop('scratch', false);
  };

  child.resume();
  child.send({ ...request, id, mark }, buffers);
  const outcome = await Promise.race([answered, child.exit]);
  const durationMs = performance.now() - started;
  for (const timer of timers) clearTimeout(timer);
  signal?.removeEventListener('abort', interrupt);
  await Promise.race([complete, new Promise((resolve) => timers.push(setTimeout(resolve, MARK_MS)))]);
  clearTimeout(timers.at(-1));
  over.abort();
  child.onFrame = () => child.kill();
  // The kill may have been on its way while the worker answered.
  const status = typeof outcome === 'number' ? outcome : isKill(stopped) ? await child.exit : undefined;
  const answer = status === undefined ? (outcome as Frame) : undefined;
  if (answer) child.pause();

  const [out, err] = [outputs.stdout.text(), outputs.stderr.text()];
  const failure = answer
    ? answeredFailure(answer, stopped, options)
    : exitFailure(status ?? 0, stopped, options, err.text);
  const result: RunResult = {
    ok: failure === undefined,
    stdout: out.text,
    stderr: err.text,
    truncated: { stdout: out.truncated, stderr: err.truncated },
    durationMs,
    ...(failure && { failure }),
    statePreserved: answer !== undefined,
  };
  return answer ? { result, answer } : { result };
}

function answeredFailure(
  { header }: Frame,
  stopped: Stop | undefined,
  { limits, wallMs }: CallOptions,
): Failure | undefined {
  if (stopped === 'timeout') return limitFailure('timeout', seconds(wallMs));
  if (stopped === 'interrupted') return limitFailure('interrupted', '');
  if (header.kind === undefined) return undefined;
  const kinds = ['exception', 'memory', 'interrupted', 'refused'] as const;
  const kind = kinds.find((name) => name === header.kind) ?? 'exception';
  if (kind === 'memory') return limitFailure('memory', bytes(limits.memoryBytes));
  const traceback = typeof header.traceback === 'string' ? { traceback: header.traceback } : {};
  return { kind, message: String(header.message), ...traceback };
}

const SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  11: 'SIGSEGV',
  31: 'SIGSYS',
};

function exitFailure(
  status: number,
  stopped: Stop | undefined,
  { limits, wallMs }: CallOptions,
  stderr: string,
): Failure {
  if (stopped === 'timeout' || status === -24) return limitFailure('timeout', seconds(wallMs));
  if (stopped === 'interrupted') return limitFailure('interrupted', '');
  if (stopped === 'output') return limitFailure('output', bytes(limits.outputKillBytes));
  if (stopped === 'scratch') return limitFailure('output', `${bytes(limits.scratchBytes)} to its scratch folder`);
  if (status === -9 || status === OUT_OF_MEMORY || /bad_alloc|Cannot allocate memory/.test(stderr))
    return limitFailure('memory', bytes(limits.memoryBytes));
  const how =
    status < 0 ? `was ended by ${SIGNALS[-status] ?? `signal ${-status}`}` : `ended itself with status ${status}`;
  return { kind: 'crashed', message: `The code's interpreter ${how}` };
}

/** An empty file costs a block too: otherwise a million of them would count for nothing. */
const BLOCK_BYTES = 4_096;

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let total = 0;
  for (const entry of entries) {
    const stats = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    total += Math.max(BLOCK_BYTES, stats?.size ?? 0);
  }
  return total;
}
