import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Frame, FrameTooLarge, readFrames, writeFrame } from './onnx-frames.ts';
import { type OnnxAnswer, type OnnxSettings, OUT_OF_MEMORY, type RunMessage } from './onnx-messages.ts';

// Run from its sources (tests), the package has its built program beside them.
const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../dist/backends/onnx-process.js' : './backends/onnx-process.js',
    import.meta.url,
  ),
);

const MAX_HEADER_BYTES = 1 << 20;

/** The process ended or had to be ended. The message is for the user. */
export class ProcessFault extends Error {
  override readonly name = 'ProcessFault';
  constructor(
    message: string,
    /** No runtime is installed. */
    readonly isMissing = false,
  ) {
    super(message);
  }
}

/** A process with one model in it, asked one thing at a time. */
export class ModelProcess {
  readonly #child: ChildProcess;
  readonly #frames: AsyncGenerator<Frame<OnnxAnswer>>;
  readonly #memoryBytes: number;
  readonly #closed: Promise<unknown>;
  #loaded = false;
  #lastWords = '';
  isAlive = true;

  constructor(
    settings: OnnxSettings,
    content: { readonly path: string } | { readonly bytes: Uint8Array },
    maxResultBytes: number,
  ) {
    this.#memoryBytes = settings.memoryBytes;
    // Loaded with the first model: importing the contract starts no processes.
    const { spawn } = process.getBuiltinModule('node:child_process');
    this.#child = spawn(process.execPath, [program, JSON.stringify(settings)], {
      cwd: tmpdir(),
      // Nothing of ours: a model has no use for our keys. Unless this is set, onnxruntime looks up a host of its maker's.
      env: { ORT_DISABLE_TELEMETRY: '1' },
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
      this.#lastWords = (this.#lastWords + text.toString()).slice(-2_000);
    });
    this.#frames = readFrames(this.#child.stdio[3] as Readable, () => maxResultBytes + MAX_HEADER_BYTES);
    if ('path' in content) writeFrame(this.#input, { path: content.path });
    else writeFrame(this.#input, {}, [content.bytes]);
  }

  /** Throws `ProcessFault`, after which the process is gone. */
  async ask(
    message: RunMessage,
    payload: readonly Uint8Array[],
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<Frame<OnnxAnswer>> {
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
      if (!this.#loaded) {
        const { header } = await this.#next();
        if (header.kind === 'missing')
          throw new ProcessFault('neither onnxruntime-node nor onnxruntime-web is installed', true);
        if (header.kind === 'failed') throw new ProcessFault(`it cannot be loaded: ${header.problem.slice(0, 1_000)}`);
        this.#loaded = true;
      }
      writeFrame(this.#input, message, payload);
      return await this.#next();
    } catch (error) {
      throw stopped ?? error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#hold(false);
    }
  }

  kill(): void {
    this.isAlive = false;
    this.#child.kill('SIGKILL');
  }

  async #next(): Promise<Frame<OnnxAnswer>> {
    const { value, done } = await this.#frames.next().catch((error: unknown) => {
      throw error instanceof FrameTooLarge
        ? new ProcessFault(`its outputs take ${error.bytes} bytes, which is more than is allowed`)
        : error;
    });
    if (!done) return value;
    await this.#closed;
    if (this.#lastWords.includes(OUT_OF_MEMORY))
      throw new ProcessFault(`it needs more than the allowed ${this.#memoryBytes} bytes of memory`);
    throw new ProcessFault('its process ended before it was done');
  }

  get #input(): Writable {
    return this.#child.stdin!;
  }

  /** It keeps the server alive only while an answer is awaited. */
  #hold(isHeld: boolean): void {
    const how = isHeld ? 'ref' : 'unref';
    this.#child[how]();
    for (const stream of this.#child.stdio) (stream as Socket | null)?.[how]?.();
  }
}
