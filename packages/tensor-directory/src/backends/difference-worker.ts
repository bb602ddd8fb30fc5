import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { bytesOf, countOf, FACTS } from '@atoll-mcp/formats/dtypes';
import { npyHeader } from '@atoll-mcp/formats/npy';
import { Difference, type DifferenceFigures } from '../domain/compare/difference.ts';
import { comparable, type Elements } from '../domain/values/elements.ts';
import type { DifferenceTask, ValuesFile } from './interface.ts';

// The program of a thread that compares pairs of files, one after another. It does nothing else, so it reads without waiting.

/** What the thread answers: the figures, or which of the two files is damaged. */
export type DifferenceAnswer =
  | { readonly figures: DifferenceFigures }
  | { readonly damaged: 'a' | 'b' }
  | { readonly failed: string };

/** Elements of each file that are in memory at a time; they stay in the processor's cache. */
const BLOCK = 1 << 16;

parentPort!.on('message', (task: DifferenceTask) => parentPort!.postMessage(answerTo(task)));

function answerTo({ a, b, tolerance }: DifferenceTask): DifferenceAnswer {
  const files: CheckedFile[] = [];
  try {
    for (const file of [a, b]) files.push(new CheckedFile(file));
    const [left, right] = files as [CheckedFile, CheckedFile];
    const difference = new Difference(tolerance);
    for (let rest = countOf(a.shape); rest > 0; rest -= BLOCK) {
      const count = Math.min(BLOCK, rest);
      difference.add(left.next(count), right.next(count));
    }
    if (!left.isIntact()) return { damaged: 'a' };
    return right.isIntact() ? { figures: difference.figures() } : { damaged: 'b' };
  } catch (error) {
    if (error instanceof EndsEarly) return { damaged: files.length === 2 && error.file === files[1] ? 'b' : 'a' };
    return { failed: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const file of files) file.close();
  }
}

/** Reads the values of a file in order, and knows at the end whether it was what was stored. */
class CheckedFile {
  readonly #info: ValuesFile;
  readonly #file: number;
  readonly #hash = createHash('sha256');
  readonly #block: Uint8Array;

  constructor(info: ValuesFile) {
    this.#info = info;
    this.#file = openSync(info.path, 'r');
    this.#block = new Uint8Array(BLOCK * FACTS[info.dtype].bytes);
    this.#read(this.#header);
  }

  next(count: number): Elements {
    const { dtype } = this.#info;
    return comparable(dtype, this.#read(count * FACTS[dtype].bytes));
  }

  isIntact(): boolean {
    const { dtype, shape, sha256 } = this.#info;
    const isWhole = fstatSync(this.#file).size === this.#header + bytesOf(dtype, shape);
    return isWhole && this.#hash.digest('hex') === sha256;
  }

  close(): void {
    closeSync(this.#file);
  }

  get #header(): number {
    return npyHeader(this.#info.dtype, this.#info.shape).byteLength;
  }

  /** The next bytes, until the next call. */
  #read(length: number): Uint8Array {
    const bytes = this.#block.subarray(0, length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, null);
      if (read === 0) throw new EndsEarly(this);
      done += read;
    }
    this.#hash.update(bytes);
    return bytes;
  }
}

class EndsEarly extends Error {
  constructor(readonly file: CheckedFile) {
    super('The file ends early');
  }
}
