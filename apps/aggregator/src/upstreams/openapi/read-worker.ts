import { parentPort, workerData } from 'node:worker_threads';
import { firstProblem, parseDocument, UnusableDocument } from './document.ts';
import { describeApi, type OpenApi } from './open-api.ts';

export interface ReadTask {
  readonly text: string;
  /** Names the document in messages. */
  readonly where: string;
}

/** First the API or why there is none; then, after an API, the first rule that its document breaks. */
export type ReadMessage =
  | { readonly api: OpenApi }
  | { readonly problem: string }
  | { readonly broken: string | undefined };

const { text, where } = workerData as ReadTask;
const post = (message: ReadMessage) => parentPort!.postMessage(message);

try {
  const document = await parseDocument(text, where);
  post({ api: describeApi(document) });
  post({ broken: await firstProblem(document) });
} catch (error) {
  if (!(error instanceof UnusableDocument)) throw error;
  post({ problem: error.message });
}
