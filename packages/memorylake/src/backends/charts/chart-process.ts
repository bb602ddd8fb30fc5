import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Semaphore } from '@atoll-mcp/core';
import { chartFailed, chartsUnavailable } from '../../errors.ts';
import { childEnvironment, limitMemory, watchMemory } from '../child-limits.ts';
import type { ChartRenderer } from '../interface.ts';
import type { ChartAnswer, ChartTask } from './chart-messages.ts';

// When run from source (tests), the built program is in dist.
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/chart-worker.js' : './chart-worker.js', import.meta.url),
);

const MAX_MS = 30_000;
const IDLE_MS = 60_000;
const HEAP_MEGABYTES = 512;
const MAX_BYTES = 900 * 2 ** 20;

/** Draws in a child process, which starts with the first chart and ends when idle. */
export class ChartProcess implements ChartRenderer {
  readonly #turn = new Semaphore(1);
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  draw(task: ChartTask, signal?: AbortSignal): Promise<ChartAnswer & { ok: true }> {
    return this.#turn.run(async () => {
      clearTimeout(this.#idle);
      const child = this.#child ?? this.#start();
      this.#child = child;
      try {
        const answer = await this.#ask(child, task, signal);
        if (answer.ok) return answer;
        throw answer.kind === 'missing' ? chartsUnavailable() : chartFailed(`${answer.reason.replace(/\.$/, '')}.`);
      } finally {
        this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
        child.unref();
        child.channel?.unref();
      }
    }, signal);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  #start(): ChildProcess {
    const child = fork(program, [], {
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      // UTC: dates without a zone must not shift by the local time zone.
      env: { ...childEnvironment(), TZ: 'UTC' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', () => {});
    if (child.pid !== undefined) limitMemory(child.pid, MAX_BYTES * 1.5);
    return child;
  }

  #ask(child: ChildProcess, task: ChartTask, signal: AbortSignal | undefined): Promise<ChartAnswer> {
    return new Promise((resolve, reject) => {
      child.ref();
      child.channel?.ref();
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        stopWatching();
        signal?.removeEventListener('abort', onAbort);
        child.off('message', onMessage).off('exit', onExit);
        finish();
      };
      const end = (error: unknown) =>
        settle(() => {
          this.#child = undefined;
          child.kill('SIGKILL');
          reject(error);
        });
      const onAbort = () => end(signal!.reason);
      const onExit = () => end(chartFailed('It needs more memory than a chart may use. Draw fewer rows.'));
      // Trusted: only our own program writes to this channel.
      const onMessage = (answer: unknown) => settle(() => resolve(answer as ChartAnswer));
      const timer = setTimeout(() => end(chartFailed(`It took longer than ${MAX_MS / 1000} seconds.`)), MAX_MS);
      const stopWatching = watchMemory(child.pid ?? 0, MAX_BYTES, onExit);
      signal?.addEventListener('abort', onAbort, { once: true });
      child.once('message', onMessage).once('exit', onExit);
      child.send(task);
    });
  }
}
