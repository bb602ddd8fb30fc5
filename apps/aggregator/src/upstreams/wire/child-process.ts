import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessGuard } from './process-guard.ts';
import { within } from './within.ts';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/** Grace periods after closing stdin and after SIGTERM. */
const END_GRACE_MS = 1_500;
const TERM_GRACE_MS = 1_500;
const SWEEP_STEP_MS = 50;
const SWEEP_TRIES = 20;

/** A child in its own process group, so that its descendants end with it. */
export class GroupedChild {
  readonly process: ChildProcess;
  readonly #guard: ProcessGuard;

  constructor(options: ChildOptions, guard: ProcessGuard) {
    this.#guard = guard;
    guard.prepare();
    this.process = spawn(options.command, [...options.args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...options.env },
      cwd: options.cwd,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (this.process.pid !== undefined) guard.add(this.process.pid);
    this.process.once('exit', () => void this.#sweep());
  }

  /** Closes stdin, then sends SIGTERM, then SIGKILL to the group. */
  async stop(): Promise<void> {
    const child = this.process;
    if (child.pid === undefined || !this.#isAlive()) return this.#sweep();
    const exited = once(child, 'exit').catch(() => {});
    child.stdin?.end();
    if (!(await within(END_GRACE_MS, exited))) {
      this.#signal('SIGTERM');
      if (!(await within(TERM_GRACE_MS, exited))) this.#signal('SIGKILL');
      await within(TERM_GRACE_MS, exited);
    }
    await this.#sweep();
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  /** A launcher may have exited while its child still runs. */
  async #sweep(): Promise<void> {
    const { pid } = this.process;
    if (pid === undefined) return;
    if (this.#signal('SIGTERM')) {
      for (let tries = 0; tries < SWEEP_TRIES && this.#signal(0); tries++) await delay(SWEEP_STEP_MS);
      this.#signal('SIGKILL');
    }
    this.#guard.remove(pid);
  }

  #isAlive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** False if the group is empty. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.process;
    if (pid === undefined) return false;
    if (process.platform === 'win32') {
      if (signal === 0 || !this.#isAlive()) return false;
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {});
      return true;
    }
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }
}
