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

// Run from its sources (tests), the package has its built program beside them.
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/reader-worker.js' : './reader-worker.js', import.meta.url),
);

/** A process that has grown beyond this ends with its file: memory grows at once and shrinks late, if ever. */
const MAX_KEPT_BYTES = 256 << 20;
/** What the program itself and its libraries take beside the heap. */
const OUTSIDE_HEAP_MEGABYTES = 300;
/** A file that ended its process is tried once more: something else may have ended it. */
const ATTEMPTS = 2;
const ENDED = 'The lake was closed before it was read';

type OnChunks = (chunks: readonly ReadChunk[]) => Promise<void>;

interface RunOptions {
  readonly onChunks?: OnChunks;
  readonly onPart?: (part: FilePart) => Promise<void>;
  readonly onRecognised?: (done: number, pages: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads in processes of their own: a file that takes too much time or memory costs its process, never the server. */
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
    // A message that could not be sent to a process that just ended; its exit says so.
    child.on('error', () => {});
    // Half as much again as is watched for: it stops what grows faster than one can look.
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
      // Once chunks were given, a second attempt would give them again.
      const end = (reason: string) =>
        settle(() => resolve(hasGiven ? { kind: 'failed', reason } : { kind: 'ended', reason }), false);
      const onAbort = () => settle(() => reject(signal!.reason), false);
      // Time that the other side needs for a batch is not the file's fault.
      let timer = setTimeout(() => fail(this.#tooSlow()), this.#limits.maxSeconds * 1000);
      const stopWatching = watchMemory(child.pid ?? 0, this.#maxBytes(), () => end(this.#tooLarge()));
      signal?.addEventListener('abort', onAbort, { once: true });
      // V8 aborts when its heap is full; every other end is that of a broken file, or of the lake.
      const onExit = (_: number | null, ended: NodeJS.Signals | null) => {
        if (this.#isClosed) return fail(ENDED);
        end(
          ended === 'SIGABRT' || ended === 'SIGTRAP'
            ? this.#tooLarge()
            : 'It is broken: it could not be read to its end',
        );
      };
      const onMessage = (sent: unknown) => {
        // Only our own program writes to this channel, and reads nothing from files into the kind.
        const message = sent as FromReader;
        if (message.kind === 'recognised') {
          // The time is that of a page: a book of scans takes longer than any other file.
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

/** All chunks of a file wait in memory to be stored, and as lists their terms would take many times their text. */
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

/** A process that waits for work keeps nothing else alive. */
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
    // Idle processes keep nothing alive, but whoever closes the lake waits for their end.
    child.ref();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
