import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Semaphore } from '@atoll-mcp/core';
import { type FileFormat, type ReadLimits, typeByName } from '../domain/document.ts';
import type { ExtraColumns, RowRange } from '../domain/tables/table-rows.ts';
import { fileUnreadable } from '../errors.ts';
import { childEnvironment, limitMemory, watchMemory } from './child-limits.ts';
import type { FilePart, FileReader, FileToRead, ReadChunk, ReadOutcome } from './interface.ts';
import type { OcrSettings } from './ocr/interface.ts';
import type { ChunkOnTheWay, FromReader, ReaderAnswer, ReaderTask } from './reader-messages.ts';

// When run from source (tests), the built program is in dist.
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/reader-worker.js' : './reader-worker.js', import.meta.url),
);

/** A larger process is replaced after its file: memory is rarely returned to the system. */
const MAX_KEPT_BYTES = 256 << 20;
/** Memory of the program and its libraries outside the heap. */
const OUTSIDE_HEAP_MEGABYTES = 300;
/** A file whose process ended is retried once: the cause may have been something else. */
const ATTEMPTS = 2;
const ENDED = 'The lake was closed before it was read';

type OnChunks = (chunks: readonly ReadChunk[]) => Promise<void>;

interface RunOptions {
  readonly onChunks?: OnChunks;
  readonly onPart?: (part: FilePart) => Promise<void>;
  readonly onRecognised?: (done: number, pages: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads files in child processes: a file that takes too much time or memory ends its process, never the server. */
export class ProcessReader implements FileReader {
  readonly #limits: ReadLimits;
  readonly #ocr: OcrSettings | undefined;
  readonly #slots: Semaphore;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  #isClosed = false;

  constructor(options: { limits: ReadLimits; ocr?: OcrSettings; processes: number }) {
    this.#limits = options.limits;
    this.#ocr = options.ocr;
    this.#slots = new Semaphore(options.processes);
  }

  async read(file: FileToRead, options: RunOptions & { onChunks: OnChunks }): Promise<ReadOutcome> {
    const answer = await this.#run({ kind: 'read', file, limits: this.#limits, ocr: this.#ocr }, options);
    if (answer.kind === 'read') {
      if (answer.chunks.length > 0) await options.onChunks(answer.chunks.map(received));
      return answer.outcome;
    }
    const reason = answer.kind === 'failed' ? answer.reason : 'It could not be read';
    return { ok: false, reason, type: typeByName(file.name) };
  }

  async rows(file: FileToRead, format: FileFormat, range: RowRange, signal?: AbortSignal) {
    const task = { kind: 'rows', file, limits: this.#limits, format, range } as const;
    const answer = await this.#run(task, signal && { signal });
    if (answer.kind !== 'rows') throw fileUnreadable(file.name, answer.kind === 'failed' ? answer.reason : '');
    return answer.rows;
  }

  async table(
    file: FileToRead,
    format: FileFormat,
    { sheet, ...extra }: { sheet: string } & ExtraColumns,
    signal?: AbortSignal,
  ) {
    const task = { kind: 'table', file, limits: this.#limits, format, sheet, extra } as const;
    const answer = await this.#run(task, signal && { signal });
    if (answer.kind !== 'table') throw fileUnreadable(file.name, answer.kind === 'failed' ? answer.reason : '');
    return answer.table;
  }

  async draw(file: FileToRead, page: number, signal?: AbortSignal) {
    const answer = await this.#run({ kind: 'draw', file, limits: this.#limits, page }, signal && { signal });
    if (answer.kind !== 'draw') throw fileUnreadable(file.name, answer.kind === 'failed' ? answer.reason : '');
    return answer.drawn;
  }

  async parts(file: FileToRead, onPart: (part: FilePart) => Promise<void>, signal?: AbortSignal): Promise<void> {
    const answer = await this.#run(
      { kind: 'parts', file, limits: this.#limits },
      { onPart, ...(signal && { signal }) },
    );
    if (answer.kind !== 'parts') throw fileUnreadable(file.name, answer.kind === 'failed' ? answer.reason : '');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map(ended));
  }

  #run(task: ReaderTask, options: RunOptions = {}): Promise<ReaderAnswer> {
    return this.#slots.run(async () => {
      let answer: ReaderAnswer | ProcessEnded = { kind: 'ended', reason: ENDED };
      for (let attempt = 0; attempt < ATTEMPTS && answer.kind === 'ended'; attempt++) {
        if (this.#isClosed) return { kind: 'failed', reason: ENDED };
        answer = await this.#runOn(this.#idle.pop() ?? this.#start(), task, options);
      }
      return answer.kind === 'ended' ? { kind: 'failed', reason: answer.reason } : answer;
    }, options.signal);
  }

  #start(): ChildProcess {
    const child = fork(program, [], {
      execArgv: [`--max-old-space-size=${this.#limits.maxHeapMegabytes}`],
      env: childEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#all.add(child);
    child.once('exit', () => {
      this.#all.delete(child);
      if (this.#idle.includes(child)) this.#idle.splice(this.#idle.indexOf(child), 1);
    });
    // Ignore failed sends: the exit of the process is handled separately.
    child.on('error', () => {});
    // Higher than the watched limit; catches growth between two checks.
    if (child.pid !== undefined) limitMemory(child.pid, this.#maxBytes() * 1.5);
    return child;
  }

  #runOn(
    child: ChildProcess,
    task: ReaderTask,
    { onChunks, onPart, onRecognised, signal }: RunOptions,
  ): Promise<ReaderAnswer | ProcessEnded> {
    return new Promise((resolve, reject) => {
      setReferenced(child, true);
      let isOver = false;
      let hasGiven = false;
      const settle = (finish: () => void, keep: boolean) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        stopWatching();
        signal?.removeEventListener('abort', onAbort);
        child.off('message', onMessage).off('exit', onExit);
        if (keep && child.connected) {
          setReferenced(child, false);
          this.#idle.push(child);
        } else {
          child.kill('SIGKILL');
        }
        finish();
      };
      const fail = (reason: string) => settle(() => resolve({ kind: 'failed', reason }), false);
      // No retry after chunks were passed on: they would be duplicated.
      const end = (reason: string) =>
        settle(() => resolve(hasGiven ? { kind: 'failed', reason } : { kind: 'ended', reason }), false);
      const onAbort = () => settle(() => reject(signal!.reason), false);
      // Time spent by the receiver of a batch does not count.
      let timer = setTimeout(() => fail(this.#tooSlow()), this.#limits.maxSeconds * 1000);
      const stopWatching = watchMemory(child.pid ?? 0, this.#maxBytes(), () => end(this.#tooLarge()));
      signal?.addEventListener('abort', onAbort, { once: true });
      // V8 aborts when its heap is full; other exits mean a broken file, or that the lake is closing.
      const onExit = (_: number | null, ended: NodeJS.Signals | null) => {
        if (this.#isClosed) return fail(ENDED);
        end(
          ended === 'SIGABRT' || ended === 'SIGTRAP'
            ? this.#tooLarge()
            : 'It is broken: it could not be read to its end',
        );
      };
      const onMessage = (sent: unknown) => {
        // Trusted: only our own program writes to this channel.
        const message = sent as FromReader;
        if (message.kind === 'recognised') {
          // The time limit applies per page: a scanned book takes longer than other files.
          clearTimeout(timer);
          timer = setTimeout(() => fail(this.#tooSlow()), this.#limits.maxSeconds * 1000);
          return onRecognised?.(message.done, message.pages);
        }
        if (message.kind !== 'chunks' && message.kind !== 'part')
          return settle(() => resolve(message), message.residentBytes < MAX_KEPT_BYTES);
        clearTimeout(timer);
        hasGiven = true;
        const taken = message.kind === 'part' ? onPart!(message.part) : onChunks!(message.chunks.map(received));
        taken.then(
          () => {
            if (isOver) return;
            timer = setTimeout(() => fail(this.#tooSlow()), this.#limits.maxSeconds * 1000);
            child.send({ kind: 'next' });
          },
          (error) => settle(() => reject(error), false),
        );
      };
      child.on('message', onMessage).once('exit', onExit);
      child.send(task);
    });
  }

  #maxBytes(): number {
    return (this.#limits.maxHeapMegabytes + OUTSIDE_HEAP_MEGABYTES) * 2 ** 20;
  }

  #tooSlow(): string {
    return `It took longer than ${this.#limits.maxSeconds} seconds to read`;
  }

  #tooLarge(): string {
    return `It needs more than ${this.#limits.maxHeapMegabytes} MB of memory to be read`;
  }
}

/** Chunks wait in memory until they are stored; terms as lists would take many times the space of their text. */
function received({ terms, ...chunk }: ChunkOnTheWay): ReadChunk {
  return {
    ...chunk,
    get terms() {
      return terms.split('\n');
    },
  };
}

/** The process ended before its task did. */
interface ProcessEnded {
  readonly kind: 'ended';
  readonly reason: string;
}

/** An idle process must not keep the program running. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    // Idle processes are unreferenced, but closing the lake waits for their exit.
    child.ref();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
