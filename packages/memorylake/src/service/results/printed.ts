const INTERVAL_MS = 100;

/** Called with output of running code and the number of characters so far. */
export type OnPrinted = (text: string, characters: number) => void;

/** Forwards output of code, throttled. */
export class Printed {
  readonly #tell: OnPrinted;
  #characters = 0;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: OnPrinted) {
    this.#tell = tell;
  }

  add = (text: string): void => {
    this.#waiting += text;
    this.#timer ??= setTimeout(() => this.#send(), INTERVAL_MS);
  };

  /** Stops: the answer has the complete output. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    this.#timer = undefined;
    this.#characters += this.#waiting.length;
    this.#tell(this.#waiting, this.#characters);
    this.#waiting = '';
  }
}
