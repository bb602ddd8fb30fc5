import { ChildProgram, ProcessFault } from './child/child-program.ts';
import type { Frame } from './child/frames.ts';
import type { OnnxAnswer, OnnxSettings, RunMessage } from './onnx-messages.ts';

/** A process with one model in it, asked one thing at a time. */
export class ModelProcess {
  readonly #program: ChildProgram<OnnxAnswer>;
  #loaded = false;

  constructor(
    settings: OnnxSettings,
    content: { readonly path: string } | { readonly bytes: Uint8Array },
    maxResultBytes: number,
  ) {
    this.#program = new ChildProgram({
      program: 'onnx-process.js',
      settings,
      maxAnswerBytes: maxResultBytes,
      answerName: 'its outputs',
      // Unless this is set, onnxruntime looks up a host of its maker's.
      environment: { ORT_DISABLE_TELEMETRY: '1' },
    });
    if ('path' in content) this.#program.send({ path: content.path });
    else this.#program.send({}, [content.bytes]);
  }

  get isAlive(): boolean {
    return this.#program.isAlive;
  }

  /** Throws `ProcessFault`, after which the process is gone. */
  ask(
    message: RunMessage,
    payload: readonly Uint8Array[],
    limits: { timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<Frame<OnnxAnswer>> {
    return this.#program.during(limits, async () => {
      if (!this.#loaded) await this.#load();
      this.#program.send(message, payload);
      return this.#program.next();
    });
  }

  kill(): void {
    this.#program.kill();
  }

  async #load(): Promise<void> {
    const { header } = await this.#program.next();
    if (header.kind === 'missing')
      throw new ProcessFault('neither onnxruntime-node nor onnxruntime-web is installed', true);
    if (header.kind === 'failed') throw new ProcessFault(`it cannot be loaded: ${header.problem.slice(0, 1_000)}`);
    this.#loaded = true;
  }
}
