import { send } from '../thread-side.ts';

type Stream = 'stdout' | 'stderr';

/** Output is sent on when this much came together, and else when this time has passed since the last. */
const SEND_CHARACTERS = 4_096;
const SEND_MS = 50;

/** What the code wrote: the beginning is kept, the rest only counted. */
export class Written {
  readonly #limits: { readonly outputBytes: number; readonly outputKillBytes: number };
  readonly #kept = { stdout: '', stderr: '' };
  readonly #bytes = { stdout: 0, stderr: 0 };
  readonly #streams: boolean;
  readonly #sent = { stdout: 0, stderr: 0 };
  #lastSent = 0;

  /** With `streams`, what is kept is also sent to the host as it comes. */
  constructor(limits: { readonly outputBytes: number; readonly outputKillBytes: number }, streams = false) {
    this.#limits = limits;
    this.#streams = streams;
  }

  get isTooMuch(): boolean {
    return this.#bytes.stdout + this.#bytes.stderr > this.#limits.outputKillBytes;
  }

  add(stream: Stream, text: string): void {
    const bytes = Buffer.byteLength(text);
    const room = this.#limits.outputBytes - this.#bytes[stream];
    if (room >= bytes) this.#kept[stream] += text;
    else if (room > 0)
      this.#kept[stream] += Buffer.from(text)
        .subarray(0, room)
        .toString('utf8')
        .replace(/\uFFFD+$/, '');
    this.#bytes[stream] += bytes;
    if (!this.#streams) return;
    const waiting = this.#kept[stream].length - this.#sent[stream];
    if (waiting >= SEND_CHARACTERS || performance.now() - this.#lastSent >= SEND_MS) this.flush();
  }

  /** Sends on what has not been sent. */
  flush(): void {
    if (!this.#streams) return;
    this.#lastSent = performance.now();
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = this.#kept[stream].slice(this.#sent[stream]);
      if (text) send({ type: 'output', stream, text });
      this.#sent[stream] += text.length;
    }
  }

  result() {
    this.flush();
    const isCut = (stream: Stream) => this.#bytes[stream] > this.#limits.outputBytes;
    return { ...this.#kept, truncated: { stdout: isCut('stdout'), stderr: isCut('stderr') } };
  }
}
