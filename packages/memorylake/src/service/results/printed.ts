const INTERVAL_MS = 100;

/** Told what code prints while it runs, and how many characters that were so far. */
export type OnPrinted = (text: string, characters: number) => void;

/** Passes on what code prints, a few times a second at most. */
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

  /** The answer has all of it; nothing is told after it. */
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
