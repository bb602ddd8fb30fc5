/** What the code wrote: the beginning is kept, the rest only counted. */
export class Written {
  readonly #limits: { readonly outputBytes: number; readonly outputKillBytes: number };
  readonly #kept = { stdout: '', stderr: '' };
  readonly #bytes = { stdout: 0, stderr: 0 };

  constructor(limits: { readonly outputBytes: number; readonly outputKillBytes: number }) {
    this.#limits = limits;
  }

  get isTooMuch(): boolean {
    return this.#bytes.stdout + this.#bytes.stderr > this.#limits.outputKillBytes;
  }

  add(stream: 'stdout' | 'stderr', text: string): void {
    const bytes = Buffer.byteLength(text);
    const room = this.#limits.outputBytes - this.#bytes[stream];
    if (room >= bytes) this.#kept[stream] += text;
    else if (room > 0)
      this.#kept[stream] += Buffer.from(text)
        .subarray(0, room)
        .toString('utf8')
        .replace(/\uFFFD+$/, '');
    this.#bytes[stream] += bytes;
  }

  result() {
    const isCut = (stream: 'stdout' | 'stderr') => this.#bytes[stream] > this.#limits.outputBytes;
    return { ...this.#kept, truncated: { stdout: isCut('stdout'), stderr: isCut('stderr') } };
  }
}
