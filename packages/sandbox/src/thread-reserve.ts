import { Thread } from './thread.ts';
import type { WasmModule } from './wasm.ts';

/** Keeps one started thread ready, so that a session need not wait for its interpreter to load. */
export class ThreadReserve {
  readonly #script: URL;
  readonly #wasm: () => Promise<WasmModule>;
  #spare: Promise<Thread | undefined> | undefined;
  #isClosed = false;

  constructor(script: URL, wasm: () => Promise<WasmModule>) {
    this.#script = script;
    this.#wasm = wasm;
  }

  async take(): Promise<Thread> {
    const ready = this.#spare;
    this.#spare = undefined;
    const thread = (await ready) ?? (await this.#start());
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
    const started = this.#start().then((thread) => {
      thread.keepProgramAlive(false);
      return thread;
    });
    this.#spare = started.catch(() => undefined);
  }

  async #start(): Promise<Thread> {
    return Thread.start(this.#script, await this.#wasm());
  }
}
