import { setImmediate as otherMessages } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchIndexDefinition, SearchRequest } from '@atoll-mcp/core/storage';
import { StorageError } from '@atoll-mcp/core/storage';
import { LazyConnection } from '../drivers/sqlite/lazy-connection.ts';
import { retryWhileBusy, type SqliteConnection } from '../drivers/sqlite/sqlite-connection.ts';
import { type PackedDocument, unpacked } from './packed-document.ts';
import { searchFile } from './search-file.ts';
import { SearchReader } from './search-reader.ts';
import { type AttributeUpdate, SearchWriter } from './search-writer.ts';
import type { Answer, Question } from './worker-link.ts';

/** Writes that share a commit at most, and so one wait for the disk. */
const MAX_AT_ONCE = 64;

const { path, definition } = workerData as { path: string; definition: SearchIndexDefinition };
const file = new LazyConnection(searchFile(path, definition));
const waiting: Question[] = [];
let isWorking = false;
let writer: SearchWriter | undefined;
let reader: SearchReader | undefined;

parentPort?.on('message', (question: Question) => {
  waiting.push(question);
  if (!isWorking) void work();
});

/** One after the other: a second write must not begin while the first waits for another process. */
async function work(): Promise<void> {
  isWorking = true;
  await otherMessages();
  for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
    const answers = isWrite(first) ? await writeNext() : [await answerTo(waiting.shift()!)];
    for (const answer of answers) parentPort?.postMessage(answer);
    // What came in meanwhile is delivered, so that it can be written together.
    await otherMessages();
  }
  isWorking = false;
}

/** Each write happens as a whole or not at all, and is answered once it is on the disk. */
async function writeNext(): Promise<Answer[]> {
  const end = waiting.findIndex((question) => !isWrite(question));
  const questions = waiting.splice(0, Math.min(end === -1 ? waiting.length : end, MAX_AT_ONCE));
  try {
    const connection = await file.get();
    writer ??= new SearchWriter(connection, definition);
    return await writeTogether(connection, writer, questions);
  } catch (error) {
    return questions.map(({ id }) => failed(id, error));
  }
}

async function writeTogether(
  connection: SqliteConnection,
  to: SearchWriter,
  questions: readonly Question[],
): Promise<Answer[]> {
  const answers: Answer[] = [];
  await retryWhileBusy(() => connection.begin());
  try {
    for (const { id, job, argument } of questions) {
      try {
        answers.push({ id, value: await connection.partly(() => write(to, job, argument)) });
      } catch (error) {
        to.forgetTerms();
        if (!connection.isInTransaction) throw error;
        answers.push(failed(id, error));
      }
    }
    connection.commit();
    return answers;
  } catch (error) {
    connection.rollback();
    to.forgetTerms();
    throw error;
  }
}

function write(to: SearchWriter, job: string, argument: unknown): unknown {
  if (job === 'upsert') return to.upsert(unpacked(argument as PackedDocument));
  return job === 'remove' ? to.remove(argument as string) : to.updateAttributes(argument as AttributeUpdate);
}

async function answerTo({ id, job, argument }: Question): Promise<Answer> {
  try {
    if (job === 'close') return { id, value: await file.close() };
    const connection = await file.get();
    const value = await retryWhileBusy(() => {
      reader ??= new SearchReader(connection, definition);
      return job === 'search' ? reader.search(argument as SearchRequest) : reader.warm();
    });
    return { id, value };
  } catch (error) {
    return failed(id, error);
  }
}

const isWrite = ({ job }: Question): boolean => job === 'upsert' || job === 'remove' || job === 'attributes';

function failed(id: number, error: unknown): Answer {
  const code = error instanceof StorageError ? error.code : 'unavailable';
  const message = error instanceof Error ? error.message : String(error);
  return { id, failure: { code, message, cause: error } };
}
