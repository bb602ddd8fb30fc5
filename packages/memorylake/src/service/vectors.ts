import type { LakeEmbedder } from '../backends/interface.ts';

const BATCHES_AHEAD = 4;

/** Vectors for the chunks of one file, made while it is still being read. All of them or none. */
export class Vectors {
  done = 0;
  problem: unknown;
  private readonly embedder: LakeEmbedder | undefined;
  private readonly signal: AbortSignal;
  private readonly batches: Promise<readonly Float32Array[]>[] = [];
  private waiting = 0;

  get isWanted(): boolean {
    return this.embedder !== undefined && this.problem === undefined;
  }

  constructor(embedder: LakeEmbedder | undefined, signal: AbortSignal) {
    this.embedder = embedder;
    this.signal = signal;
  }

  async add(texts: readonly string[], onDone: () => void): Promise<void> {
    if (!this.embedder || this.problem !== undefined) return;
    const { prompts } = this.embedder.model;
    this.waiting++;
    const batch = this.embedder
      .embed(
        texts.map((text) => prompts.passage + text),
        { priority: 'bulk', signal: this.signal },
      )
      .finally(() => this.waiting--);
    this.batches.push(batch);
    batch.then(
      (vectors) => {
        this.done += vectors.length;
        onDone();
      },
      (error) => {
        this.problem ??= error;
      },
    );
    if (this.waiting >= BATCHES_AHEAD) await Promise.race(this.batches.slice(-this.waiting)).catch(() => {});
  }

  async all(): Promise<Float32Array[] | undefined> {
    if (!this.embedder) return undefined;
    const batches = await Promise.all(this.batches).catch((error) => {
      this.signal.throwIfAborted();
      this.problem ??= error;
    });
    return batches && this.problem === undefined ? batches.flat() : undefined;
  }
}
