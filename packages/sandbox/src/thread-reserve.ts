import { Thread } from './thread.ts';

/** Keeps one started thread ready, so that a session need not wait for its interpreter to load. */
export class ThreadReserve {
  readonly #script: URL;
  #spare: Promise<Thread | undefined> | undefined;
  #isClosed = false;

  constructor(script: URL) {
    this.#script = script;
  }

  async take(): Promise<Thread> {
    const ready = this.#spare;
    this.#spare = undefined;
    const thread = (await ready) ?? (await Thread.start(this.#script));
    thread.keepProgramAlive(true);
    this.#refill();
    return thread;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#spare)?.terminate();
  }

  #refill(): void {
    if (this.#isClosed || this.#spare) return;
    const started = Thread.start(this.#script).then((thread) => {
      thread.keepProgramAlive(false);
      return thread;
    });
    this.#spare = started.catch(() => undefined);
  }
}
