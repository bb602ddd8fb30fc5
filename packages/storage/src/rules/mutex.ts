import { AsyncLocalStorage } from 'node:async_hooks';
import { invalid } from '@atoll-mcp/core/storage';

/** Lets one piece of work run at a time, in the order they came, and notices work that would wait for itself. */
export class Mutex {
  readonly #inside = new AsyncLocalStorage<boolean>();
  #last: Promise<unknown> | undefined;

  /** Whether anything is running or waiting. */
  get busy(): boolean {
    return this.#last !== undefined;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.refuseInside();
    const turn = (this.#last ?? Promise.resolve()).then(() => this.inside(work));
    const settled = turn.then(nothing, nothing).then(() => {
      if (this.#last === settled) this.#last = undefined;
    });
    this.#last = settled;
    return turn;
  }

  /** Marks what work calls as part of the turn that it has. */
  inside<T>(work: () => T): T {
    return this.#inside.run(true, work);
  }

  /** Waiting here for a turn, from within one, would be waiting forever. */
  refuseInside(): void {
    if (this.#last !== undefined && this.#inside.getStore()) {
      throw invalid('Inside a transaction, use the collections that it was given.');
    }
  }

  async idle(): Promise<void> {
    while (this.#last !== undefined) await this.#last;
  }
}

const nothing = () => {};
