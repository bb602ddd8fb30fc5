import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Frame, FrameTooLarge, OUT_OF_MEMORY, readFrames, writeFrame } from './frames.ts';

const MAX_HEADER_BYTES = 1 << 20;

/** The process ended or had to be ended. The message is for the user. */
export class ProcessFault extends Error {
  override readonly name = 'ProcessFault';
  constructor(
    message: string,
    /** A package that it needs is not installed. */
    readonly isMissing = false,
  ) {
    super(message);
  }
}

export interface ChildOptions {
  /** Name of the built program in `dist/backends`. */
  readonly program: string;
  /** Given to the program as its only argument. */
  readonly settings: { readonly memoryBytes: number };
  /** Of the tensors in one answer. */
  readonly maxAnswerBytes: number;
  /** What messages call the tensors in an answer, as in "its outputs". */
  readonly answerName: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A child process that handles one request at a time. Its crashes and memory use do not affect the server. */
export class ChildProgram<Answer> {
  readonly #child: ChildProcess;
  readonly #frames: AsyncGenerator<Frame<Answer>>;
  readonly #memoryBytes: number;
  readonly #tooLarge: (bytes: number) => string;
  readonly #closed: Promise<unknown>;
  #errorOutput = '';
  isAlive = true;

  constructor({ program, settings, maxAnswerBytes, answerName, environment = {} }: ChildOptions) {
    this.#memoryBytes = settings.memoryBytes;
    this.#tooLarge = (bytes) =>
      `${answerName} take ${bytes} bytes with their names, more than the allowed ${maxAnswerBytes}`;
    // Imported on first use, to keep the contract light.
    const { spawn } = process.getBuiltinModule('node:child_process');
    this.#child = spawn(process.execPath, [programPath(program), JSON.stringify(settings)], {
      cwd: tmpdir(),
      // Don't leak Atoll's secrets to the child.
      env: { ...environment },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    const end = () => {
      this.isAlive = false;
    };
    this.#child.once('error', end);
    this.#child.once('exit', end);
    this.#closed = new Promise((resolve) => this.#child.once('close', resolve));
    // Ignore write errors of a process that is gone: its exit is what counts.
    this.#input.on('error', () => {});
    this.#child.stderr!.on('data', (text: Buffer) => {
      this.#errorOutput = (this.#errorOutput + text.toString()).slice(-2_000);
    });
    this.#frames = readFrames(this.#child.stdio[3] as Readable, () => maxAnswerBytes + MAX_HEADER_BYTES);
  }

  send(header: object, payload?: readonly Uint8Array[]): void {
    writeFrame(this.#input, header, payload);
  }

  /** Runs work on the process; kills the process after a timeout or abort. */
  async during<T>(
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
    work: () => Promise<T>,
  ): Promise<T> {
    this.#hold(true);
    let stopped: Error | undefined;
    const stop = (why: Error) => {
      stopped ??= why;
      this.kill();
    };
    const timer = setTimeout(() => stop(new ProcessFault(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    const onAbort = () => stop(signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    try {
      return await work();
    } catch (error) {
      throw stopped ?? error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#hold(false);
    }
  }

  /** The next answer. Throws `ProcessFault`, after which the process is gone. */
  async next(): Promise<Frame<Answer>> {
    const { value, done } = await this.#frames.next().catch((error: unknown) => {
      throw error instanceof FrameTooLarge ? new ProcessFault(this.#tooLarge(error.bytes)) : error;
    });
    if (!done) return value;
    await this.#closed;
    if (this.#errorOutput.includes(OUT_OF_MEMORY))
      throw new ProcessFault(`it needs more than the allowed ${this.#memoryBytes} bytes of memory`);
    throw new ProcessFault('its process ended before it was done');
  }

  kill(): void {
    this.isAlive = false;
    this.#child.kill('SIGKILL');
  }

  get #input(): Writable {
    return this.#child.stdin!;
  }

  /** Referenced only while an answer is awaited, so that it does not keep the server running. */
  #hold(isHeld: boolean): void {
    const how = isHeld ? 'ref' : 'unref';
    this.#child[how]();
    for (const stream of this.#child.stdio) (stream as Socket | null)?.[how]?.();
  }
}

/** When run from source (tests), the built programs are in `dist`. */
function programPath(name: string): string {
  const isSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(isSource ? `../../../dist/backends/${name}` : `./backends/${name}`, import.meta.url));
}
