import { encodeFrame, FrameReader } from './frames.ts';
import { type ChildMessage, decodeMessage, type Started } from './messages.ts';
import type { Fork, Zygote } from './zygote.ts';

interface ChildSpec {
  /** Files that it opens before its lockdown. */
  readonly open: readonly string[];
  readonly memoryBytes: number;
  readonly scratchBytes: number;
  readonly resultBytes: number;
  readonly outputFiles: number;
  readonly outputFileBytes: number;
  /** The largest buffer that it sends: arguments of a call, or a value. Other results come through a file. */
  readonly jsonBytes: number;
  readonly cpuSeconds: number;
  /** Threads it may have, where the kernel counts them apart. */
  readonly threads: number;
  /** Processes and threads that its user may have, where it doesn't. */
  readonly processes: number;
  readonly fileFunction: string | undefined;
}

/** A locked-down child: sends it frames and decodes what comes back. Nothing that it sends is trusted. */
export class Child {
  readonly pid: number;
  /** Whether its scratch has a size of its own; else the host must watch it. */
  readonly ownScratch: boolean;
  readonly ownTasks: boolean;
  readonly exit: Promise<number>;
  readonly fork: Fork;
  readonly #zygote: Zygote;
  /** Set when it sent something that does not fit the protocol, and was ended for it. */
  hasBrokenProtocol = false;
  onMessage: (message: ChildMessage) => void = () => this.endForProtocol();

  /** Tells a child what it is for; it locks itself down before it answers. */
  static async start(zygote: Zygote, spec: ChildSpec): Promise<Child> {
    const fork = await zygote.fork();
    let child: Child | undefined;
    const first = new Promise<ChildMessage>((resolve, reject) => {
      let isFirst = true;
      const reader = new FrameReader(spec.jsonBytes, (frame) => {
        const message = decodeMessage(frame);
        if (!isFirst) return child?.onMessage(message);
        isFirst = false;
        resolve(message);
      });
      fork.control.on('data', (data: Buffer) => {
        try {
          reader.push(data);
        } catch (error) {
          fork.control.removeAllListeners('data').resume();
          reject(error);
          child?.endForProtocol();
        }
      });
      fork.control.resume();
      for (const part of encodeFrame(spec)) fork.control.write(part);
      fork.exit.then(() => reject(new Error('the session ended before it began')));
    });
    const message = await first.catch(async (error) => {
      await fork.end();
      throw error;
    });
    if (message.type !== 'started') {
      await fork.end();
      throw new Error(`the lockdown failed: ${message.type === 'failed' ? message.reason : 'no reason was given'}`);
    }
    zygote.keepReserve();
    child = new Child(zygote, fork, message);
    return child;
  }

  private constructor(zygote: Zygote, fork: Fork, { pid, ownScratch, ownTasks }: Started) {
    this.#zygote = zygote;
    this.fork = fork;
    this.pid = pid;
    this.ownScratch = ownScratch;
    this.ownTasks = ownTasks;
    this.exit = fork.exit;
  }

  send(header: object, buffers: readonly Uint8Array[] = []): void {
    const { control } = this.fork;
    control.cork();
    for (const part of encodeFrame(header, buffers)) control.write(part);
    control.uncork();
  }

  interrupt(): void {
    this.#zygote.signal(this.pid, 'SIGINT');
  }

  /** A worker that was not tampered with never breaks the protocol. */
  endForProtocol(): void {
    this.hasBrokenProtocol = true;
    this.kill();
  }

  kill(): void {
    this.#zygote.signal(this.pid, 'SIGKILL');
  }

  /** Settles when no signal to it is under way any more. */
  signalsSent(): Promise<void> {
    return this.#zygote.signalsSent();
  }

  /** Bytes in deleted files that it keeps open. */
  hiddenBytes(): Promise<number> {
    return this.#zygote.hiddenBytes(this.pid, this.fork.scratchDir);
  }

  /** Between calls nothing of the session may run, not even threads that it left behind. */
  pause(): void {
    this.#zygote.signal(this.pid, 'SIGSTOP');
  }

  resume(): void {
    this.#zygote.signal(this.pid, 'SIGCONT');
  }

  /** From here on it counts as ended. Its process ends by itself, at the latest with the parent. */
  end(): void {
    this.kill();
    void this.exit.then(() => {
      for (const socket of [this.fork.control, this.fork.stdout, this.fork.stderr]) socket.destroy();
      return this.fork.end();
    });
  }
}
