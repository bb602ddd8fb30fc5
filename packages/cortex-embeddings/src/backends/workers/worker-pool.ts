import { Worker } from 'node:worker_threads';
import type { Logger } from '@atoll-mcp/core';
import type { EmbeddedText, TokenCount } from '../../domain/embedded-text.ts';
import { modelUnavailable } from '../../errors.ts';
import { disableOrtTelemetry } from '../onnx/ort-telemetry.ts';
import type { FromWorker, ReadyReport, ToWorker, WorkerTask } from './worker-messages.ts';

interface PoolOptions {
  readonly size: number;
  /** The built program that the threads run, by its name. */
  readonly program: 'minilm-worker' | 'encoder-worker' | 'transformers-worker';
  /** What the program is told to load; `runtime: 'wasm'` loads no native library. */
  readonly settings: object & { readonly runtime?: 'auto' | 'onnx' | 'wasm' };
  readonly log: Logger;
}

interface Answer {
  readonly embedded?: readonly EmbeddedText[];
  readonly counts?: readonly TokenCount[];
  readonly scores?: readonly number[];
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Threads with one copy of the model each. The first starts with the first task, the others when all are busy. */
export class WorkerPool {
  readonly #members = new Set<Member>();
  readonly #options: PoolOptions;
  #report: ReadyReport | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** What the first thread told of its model, once it has loaded it. */
  get report(): ReadyReport | undefined {
    return this.#report;
  }

  async embed(texts: readonly string[], normalize: boolean): Promise<readonly EmbeddedText[]> {
    return (await this.#member().send({ kind: 'embed', texts, normalize })).embedded ?? [];
  }

  async count(texts: readonly string[]): Promise<readonly TokenCount[]> {
    return (await this.#member().send({ kind: 'count', texts })).counts ?? [];
  }

  async score(query: string, texts: readonly string[]): Promise<readonly number[]> {
    return (await this.#member().send({ kind: 'score', query, texts })).scores ?? [];
  }

  /** Starts the first thread and waits until its model is loaded. */
  async load(): Promise<void> {
    await this.count([]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members].map((member) => member.close()));
  }

  /** The settings, with WebAssembly instead of a native library that would send telemetry. */
  #privateSettings(): PoolOptions['settings'] {
    const { settings } = this.#options;
    if (settings.runtime === 'wasm' || disableOrtTelemetry()) return settings;
    if (settings.runtime === 'auto') return { ...settings, runtime: 'wasm' };
    throw modelUnavailable(
      'inside a worker thread the telemetry of onnxruntime-node cannot be switched off',
      'Set ORT_DISABLE_TELEMETRY=1 in the environment of the process',
    );
  }

  #member(): Member {
    const [idlest] = [...this.#members].sort((a, b) => a.busy - b.busy);
    // Until the first is ready a second would only prepare the same model again.
    if (idlest && (idlest.busy === 0 || !this.#report || this.#members.size >= this.#options.size)) return idlest;
    const member = new Member(
      { ...this.#options, settings: this.#privateSettings() },
      {
        ready: (report) => this.#learn(report),
        end: () => this.#members.delete(member),
      },
    );
    this.#members.add(member);
    return member;
  }

  #learn(report: ReadyReport): void {
    if (this.#report) return;
    this.#report = report;
    this.#options.log.info('model loaded', { backend: report.backend, ...report.notes });
    for (const warning of report.warnings) this.#options.log.warn('model loaded with limitations', { warning });
  }
}

/** One thread and the tasks it has not answered yet. */
class Member {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor({ program, settings, log }: PoolOptions, on: { ready: (report: ReadyReport) => void; end: () => void }) {
    this.#worker = new Worker(programFile(program), { workerData: settings, name: program });
    const end = (error: Error) => {
      on.end();
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    };
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        on.ready(message);
      } else if (message.kind === 'unusable') {
        log.error('model not loaded', { problem: message.problem });
        end(modelUnavailable(message.reason, message.remedy));
        void this.#worker.terminate();
      } else {
        this.#settle(message);
      }
    });
    this.#worker.on('error', (cause) => end(new Error('A model thread failed', { cause })));
    this.#worker.on('exit', (code) => end(new Error(`A model thread ended with code ${code}`)));
    this.#worker.unref();
  }

  get busy(): number {
    return this.#pending.size;
  }

  send(task: WorkerTask): Promise<Answer> {
    const message: ToWorker = { ...task, id: ++this.#lastId };
    return new Promise((resolve, reject) => {
      this.#pending.set(message.id, { resolve, reject });
      // A thread keeps the process alive only while it has unanswered tasks.
      this.#worker.ref();
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.ref();
    this.#worker.postMessage({ kind: 'stop' } satisfies ToWorker);
    await exited;
  }

  #settle(message: Exclude<FromWorker, { kind: 'ready' | 'unusable' }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (message.kind === 'failed') pending?.reject(new Error(message.problem));
    else pending?.resolve(message);
  }
}

// Tests run the sources, where a thread's own program is still the built one.
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : './', import.meta.url);
const programFile = (program: string) => new URL(`${program}.js`, folder);
