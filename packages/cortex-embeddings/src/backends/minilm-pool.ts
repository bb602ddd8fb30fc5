import { Worker } from 'node:worker_threads';
import type { EmbeddedText, TokenCount } from '../domain/embedded-text.ts';
import { modelUnavailable } from '../errors.ts';
import type { FromWorker, ToWorker, WorkerSettings, WorkerTask } from './minilm-messages.ts';
import type { Runtime } from './minilm-session.ts';

export interface ReadyReport {
  readonly runtime: Runtime;
  readonly nativeProblem: string | undefined;
  readonly notKept: string | undefined;
}

type Answer = { readonly embedded?: readonly EmbeddedText[]; readonly counts?: readonly TokenCount[] };

interface Pending {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Threads with one copy of the model each. The first starts with the first task, the others when all are busy. */
export class WorkerPool {
  readonly #members = new Set<Member>();
  readonly #size: number;
  readonly #settings: WorkerSettings;
  readonly #onReady: (report: ReadyReport) => void;

  constructor(size: number, settings: WorkerSettings, onReady: (report: ReadyReport) => void) {
    this.#size = size;
    this.#settings = settings;
    this.#onReady = onReady;
  }

  async embed(texts: readonly string[], normalize: boolean): Promise<readonly EmbeddedText[]> {
    return (await this.#member().send({ kind: 'embed', texts, normalize })).embedded ?? [];
  }

  async count(texts: readonly string[]): Promise<readonly TokenCount[]> {
    return (await this.#member().send({ kind: 'count', texts })).counts ?? [];
  }

  /** Starts the first thread and waits until its model is loaded. */
  async load(): Promise<void> {
    await this.count([]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members].map((member) => member.close()));
  }

  #member(): Member {
    const [idlest] = [...this.#members].sort((a, b) => a.busy - b.busy);
    // Until the first is ready a second would only build the same graph again.
    if (idlest && (idlest.busy === 0 || !idlest.isReady || this.#members.size >= this.#size)) return idlest;
    const member = new Member(this.#settings, this.#onReady, () => this.#members.delete(member));
    this.#members.add(member);
    return member;
  }
}

/** One thread and the tasks it has not answered yet. */
class Member {
  isReady = false;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(settings: WorkerSettings, onReady: (report: ReadyReport) => void, onEnd: () => void) {
    this.#worker = new Worker(workerFile, { workerData: settings, name: 'minilm' });
    const end = (error: Error) => {
      onEnd();
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    };
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        this.isReady = true;
        onReady(message);
      } else if (message.kind === 'unusable') {
        end(modelUnavailable(message.problem, 'Reinstall the package, or choose another backend'));
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
      // A thread keeps the process alive only while it owes an answer.
      this.#worker.ref();
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(message: Exclude<FromWorker, { kind: 'ready' | 'unusable' }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (message.kind === 'failed') pending?.reject(new Error(message.problem));
    else pending?.resolve(message);
  }
}

// Tests run the sources, where the thread's own program is still the built one.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/minilm-worker.js' : './minilm-worker.js',
  import.meta.url,
);
