import { Worker } from 'node:worker_threads';
import { Semaphore } from '@atoll-mcp/core';
import { type FileFormat, type ReadLimits, typeByName } from '../domain/document.ts';
import type { RowRange } from '../domain/table-rows.ts';
import { fileUnreadable } from '../errors.ts';
import type { FileReader, FileToRead, ReadChunk, ReadOutcome } from './interface.ts';
import type { FromReader, ReaderAnswer, ReaderTask } from './reader-messages.ts';

// Run from its sources (tests), the package has its built thread beside them.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/reader-worker.js' : './reader-worker.js',
  import.meta.url,
);

/** A thread that has grown beyond this ends with its file: heaps grow at once and shrink late, if ever. */
const MOST_KEPT_BYTES = 64 << 20;
const ENDED = 'The lake was closed before it was read';

type OnChunks = (chunks: readonly ReadChunk[]) => Promise<void>;

/** Reads in threads of their own: a file that eats time or memory costs its thread, never the server. */
export class ThreadedReader implements FileReader {
  private readonly limits: ReadLimits;
  private readonly slots: Semaphore;
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private isClosed = false;

  constructor(options: { limits: ReadLimits; threads: number }) {
    this.limits = options.limits;
    this.slots = new Semaphore(options.threads);
  }

  async read(file: FileToRead, options: { onChunks: OnChunks; signal?: AbortSignal }): Promise<ReadOutcome> {
    const answer = await this.run({ kind: 'read', file, limits: this.limits }, options);
    if (answer.kind === 'read') return answer.outcome;
    const reason = answer.kind === 'failed' ? answer.reason : 'It could not be read';
    return { ok: false, reason, type: typeByName(file.name) };
  }

  async rows(file: FileToRead, format: FileFormat, range: RowRange, signal?: AbortSignal) {
    const task = { kind: 'rows', file, limits: this.limits, format, range } as const;
    const answer = await this.run(task, signal && { signal });
    if (answer.kind !== 'rows') throw fileUnreadable(file.name, answer.kind === 'failed' ? answer.reason : '');
    return answer.rows;
  }

  async table(
    file: FileToRead,
    format: FileFormat,
    { sheet, texts }: { sheet: string; texts: readonly string[] },
    signal?: AbortSignal,
  ) {
    const task = { kind: 'table', file, limits: this.limits, format, sheet, texts } as const;
    const answer = await this.run(task, signal && { signal });
    if (answer.kind !== 'table') throw fileUnreadable(file.name, answer.kind === 'failed' ? answer.reason : '');
    return answer.table;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private run(task: ReaderTask, options: { onChunks?: OnChunks; signal?: AbortSignal } = {}): Promise<ReaderAnswer> {
    return this.slots.run(async () => {
      if (this.isClosed) return { kind: 'failed', reason: ENDED };
      return this.runOn(this.idle.pop() ?? this.start(), task, options);
    }, options.signal);
  }

  private start(): Worker {
    const worker = new Worker(workerFile, {
      name: 'memorylake-reader',
      resourceLimits: { maxOldGenerationSizeMb: this.limits.maxHeapMegabytes },
    });
    this.all.add(worker);
    worker.once('exit', () => {
      this.all.delete(worker);
      if (this.idle.includes(worker)) this.idle.splice(this.idle.indexOf(worker), 1);
    });
    // A failure of a thread that has no task, or is being ended, concerns nobody.
    worker.on('error', () => {});
    return worker;
  }

  private runOn(
    worker: Worker,
    task: ReaderTask,
    { onChunks, signal }: { onChunks?: OnChunks; signal?: AbortSignal },
  ): Promise<ReaderAnswer> {
    return new Promise<ReaderAnswer>((resolve, reject) => {
      worker.ref();
      let isOver = false;
      const settle = (finish: () => void, keep: boolean) => {
        isOver = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        if (keep) {
          worker.unref();
          this.idle.push(worker);
        } else {
          void worker.terminate();
        }
        finish();
      };
      const fail = (reason: string) => settle(() => resolve({ kind: 'failed', reason }), false);
      const onAbort = () => settle(() => reject(signal!.reason), false);
      // Time that the other side needs for a batch is not the file's fault.
      let timer = setTimeout(() => fail(this.tooSlow()), this.limits.maxSeconds * 1000);
      signal?.addEventListener('abort', onAbort, { once: true });
      const onExit = () => fail(ENDED);
      const onError = (error: NodeJS.ErrnoException) =>
        fail(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `It needs more than ${this.limits.maxHeapMegabytes} MB of memory to be read`
            : 'It is broken: it could not be read to its end',
        );
      const onMessage = (message: FromReader) => {
        if (message.kind !== 'chunks') return settle(() => resolve(message), message.heapBytes < MOST_KEPT_BYTES);
        clearTimeout(timer);
        const chunks = message.chunks.map((chunk) => ({ ...chunk, terms: chunk.terms.split('\n') }));
        onChunks!(chunks).then(
          () => {
            if (isOver) return;
            timer = setTimeout(() => fail(this.tooSlow()), this.limits.maxSeconds * 1000);
            worker.postMessage({ kind: 'next' });
          },
          (error) => settle(() => reject(error), false),
        );
      };
      worker.on('message', onMessage).once('error', onError).once('exit', onExit);
      worker.postMessage(task);
    });
  }

  private tooSlow(): string {
    return `It took longer than ${this.limits.maxSeconds} seconds to read`;
  }
}
