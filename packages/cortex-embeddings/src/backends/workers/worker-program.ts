import { parentPort, workerData } from 'node:worker_threads';
import type { EmbeddedText, TokenCount } from '../../domain/embedded-text.ts';
import { ModelProblem } from '../model-problem.ts';
import type { FromWorker, ReadyReport, ToWorker, WorkerTask } from './worker-messages.ts';

export interface LoadedModel {
  readonly report: ReadyReport;
  embed(texts: readonly string[], normalize: boolean): Promise<EmbeddedText[]>;
  count(text: string): TokenCount;
  /** Only of models that compare a query with texts. */
  score?(query: string, texts: readonly string[]): Promise<number[]>;
}

/** The life of a model thread: loads the model that its settings describe, then answers one task after the other. */
export async function runWorker<Settings>(load: (settings: Settings) => Promise<LoadedModel>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This program runs only as a worker thread');
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const loading = load(workerData);
  port.on('message', (task: ToWorker) => {
    // Here no native code is running, which ends the whole process when its thread is ended from outside.
    if (task.kind === 'stop') process.exit();
    loading
      .then((model) => perform(model, task))
      .then((answer) => send(answer, buffersOf(answer)))
      .catch((error: unknown) => send({ kind: 'failed', id: task.id, problem: textOf(error) }));
  });
  try {
    const model = await loading;
    send({ kind: 'ready', ...model.report });
  } catch (error) {
    const { reason, remedy } = explain(error);
    send({ kind: 'unusable', reason, remedy, problem: textOf(error) });
  }
}

async function perform(model: LoadedModel, task: WorkerTask & { readonly id: number }): Promise<FromWorker> {
  if (task.kind === 'count') {
    return { kind: 'counted', id: task.id, counts: task.texts.map((text) => model.count(text)) };
  }
  if (task.kind === 'score') {
    return { kind: 'scored', id: task.id, scores: (await model.score?.(task.query, task.texts)) ?? [] };
  }
  return { kind: 'embedded', id: task.id, embedded: await model.embed(task.texts, task.normalize) };
}

/** Vectors are handed over, not copied. */
function buffersOf(answer: FromWorker): ArrayBuffer[] {
  return answer.kind === 'embedded' ? answer.embedded.map(({ vector }) => vector.buffer) : [];
}

function explain(error: unknown): { reason: string; remedy: string } {
  if (error instanceof ModelProblem) return { reason: error.message, remedy: error.remedy };
  return { reason: 'it could not be loaded', remedy: 'The log of the server says why' };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${textOf(error.cause)}`;
}
