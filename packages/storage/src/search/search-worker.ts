import { parentPort, workerData } from 'node:worker_threads';
import type { IndexedDocument, SearchIndexDefinition, SearchRequest } from '@atoll-mcp/core/storage';
import { StorageError } from '@atoll-mcp/core/storage';
import { LazyConnection } from '../drivers/sqlite/lazy-connection.ts';
import { retryWhileBusy } from '../drivers/sqlite/sqlite-connection.ts';
import { searchFile } from './search-file.ts';
import { SearchReader } from './search-reader.ts';
import { type AttributeUpdate, SearchWriter } from './search-writer.ts';
import type { Question } from './worker-link.ts';

const { path, definition } = workerData as { path: string; definition: SearchIndexDefinition };
const file = new LazyConnection(searchFile(path, definition));
let writer: SearchWriter | undefined;
let reader: SearchReader | undefined;

async function answer({ job, argument }: Question): Promise<unknown> {
  if (job === 'close') return file.close();
  const connection = await file.get();
  return retryWhileBusy(() => {
    writer ??= new SearchWriter(connection, definition);
    if (job === 'upsert') return writer.upsert(argument as IndexedDocument);
    if (job === 'remove') return writer.remove(argument as string);
    if (job === 'attributes') return writer.updateAttributes(argument as AttributeUpdate);
    reader ??= new SearchReader(connection, definition);
    return job === 'search' ? reader.search(argument as SearchRequest) : reader.warm();
  });
}

// One after the other: a second write must not begin while the first waits for another process.
let last = Promise.resolve();
parentPort?.on('message', (question: Question) => {
  last = last.then(async () => {
    try {
      parentPort?.postMessage({ id: question.id, value: await answer(question) });
    } catch (error) {
      const code = error instanceof StorageError ? error.code : 'unavailable';
      const message = error instanceof Error ? error.message : String(error);
      parentPort?.postMessage({ id: question.id, failure: { code, message, cause: error } });
    }
  });
});
