import { parentPort, workerData } from 'node:worker_threads';
import type { Precision } from '../domain/minilm.ts';
import { TokenEncoder } from '../domain/token-encoder.ts';
import { readGraph, readTokenizerJson } from './minilm-files.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './minilm-messages.ts';
import { openSession, type Runtime } from './minilm-session.ts';

const port = parentPort;
if (!port) throw new Error('This file runs only as a worker thread');
const settings: WorkerSettings = workerData;
const say = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function load(precision: Precision, modelDir: string | undefined, runtime: Runtime | 'auto') {
  const [graph, tokenizerJson] = await Promise.all([readGraph(precision, modelDir), readTokenizerJson()]);
  const encoder = new TokenEncoder(tokenizerJson);
  const session = await openSession(graph.bytes, runtime);
  return { encoder, session, notKept: graph.notKept };
}

try {
  const { encoder, session, notKept } = await load(settings.precision, settings.modelDir, settings.runtime);
  port.on('message', (message: ToWorker) => {
    answer(message, encoder, session.run).catch((error: unknown) =>
      say({ kind: 'failed', id: message.id, problem: problemOf(error) }),
    );
  });
  say({ kind: 'ready', runtime: session.runtime, nativeProblem: session.nativeProblem, notKept });
} catch (error) {
  say({ kind: 'unusable', problem: problemOf(error) });
}

async function answer(
  message: ToWorker,
  encoder: TokenEncoder,
  run: (ids: Int32Array, output: 'pooled' | 'unit') => Promise<Float32Array>,
): Promise<void> {
  if (message.kind === 'count') {
    say({ kind: 'counted', id: message.id, counts: message.texts.map((text) => encoder.count(text)) });
    return;
  }
  const embedded = [];
  for (const text of message.texts) {
    const { ids, tokens, truncated } = encoder.encode(text);
    // The runtime may reuse its buffer; a copy of our own can also be handed over without another.
    const vector = Float32Array.from(await run(ids, message.normalize ? 'unit' : 'pooled'));
    embedded.push({ vector, tokens, truncated });
  }
  say(
    { kind: 'embedded', id: message.id, embedded },
    embedded.map(({ vector }) => vector.buffer),
  );
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
