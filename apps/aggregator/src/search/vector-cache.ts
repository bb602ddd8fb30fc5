import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { decodeVectors, encodeVectors } from './vector-file.ts';

/** Turns texts into vectors of unit length, so that their product is their similarity. */
export type Embed = (
  texts: readonly string[],
  options?: { readonly priority: 'interactive' | 'bulk' },
) => Promise<readonly Vector[]>;
export type Vector = readonly number[] | Float32Array;

/** What turns texts into vectors, and its identity: vectors of another model are never mixed in. */
export interface EmbeddingModel {
  readonly identity: string;
  readonly embed: Embed;
  /** Whether it compares texts of different languages. */
  readonly isMultilingual?: boolean;
  /** The cosine of texts that have nothing in common, where that is not about zero. */
  readonly unrelatedCosine?: number | undefined;
}

const MAX_KEPT = 20_000;

/** Vectors of tool definitions by model and hash of the text, kept in a file so that a restart computes nothing again. */
export class VectorCache {
  readonly #file: string;
  readonly #log: Logger;
  readonly #vectors = new Map<string, Float32Array>();
  #loaded: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** Reads the kept vectors, so that the first search need not. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** One vector per text; only those that are not known are computed. */
  embed(model: EmbeddingModel, texts: readonly string[]): Promise<readonly Vector[]> {
    // One after another: while servers join, each catalog needs mostly what the one before it needed.
    const made = this.#last.then(() => this.#embed(model, texts));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #embed({ identity, embed }: EmbeddingModel, texts: readonly string[]): Promise<readonly Vector[]> {
    await this.load();
    const keys = texts.map((text) => keyOf(identity, text));
    const missing = new Map<string, string>();
    keys.forEach((key, index) => {
      if (!this.#vectors.has(key)) missing.set(key, texts[index] ?? '');
    });
    if (missing.size > 0) {
      const made = await embed([...missing.values()], { priority: 'bulk' });
      [...missing.keys()].forEach((key, index) => {
        const vector = made[index];
        if (vector) this.#vectors.set(key, Float32Array.from(vector));
      });
      await this.#save(new Set(keys)).catch((error: unknown) => this.#log.warn('tool vectors not saved', { error }));
    }
    return keys.map((key) => this.#vectors.get(key) ?? []);
  }

  async #load(): Promise<void> {
    try {
      for (const [key, vector] of decodeVectors(await readFile(this.#file))) this.#vectors.set(key, vector);
    } catch {
      // A missing or damaged file costs only the time to compute the vectors.
    }
  }

  /** Vectors of tools that are gone are dropped once there are too many. */
  async #save(used: ReadonlySet<string>): Promise<void> {
    if (this.#vectors.size > MAX_KEPT) {
      for (const key of this.#vectors.keys()) if (!used.has(key)) this.#vectors.delete(key);
    }
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    await writeFile(`${this.#file}.${process.pid}`, encodeVectors(this.#vectors), { mode: 0o600 });
    await rename(`${this.#file}.${process.pid}`, this.#file);
  }
}

function keyOf(identity: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([identity, text]))
    .digest('base64url');
}
