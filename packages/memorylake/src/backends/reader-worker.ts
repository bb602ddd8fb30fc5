import { tokeniseForIndex } from '@atoll-mcp/storage/search';
import { FileChunker } from '../domain/chunk-file.ts';
import { typeByName, typeOfFormat, UnreadableFile } from '../domain/document.ts';
import { summariseFile } from '../domain/summarise.ts';
import type { SheetRow } from '../domain/tables/sheet-shape.ts';
import { RowCollector, TableCollector } from '../domain/tables/table-rows.ts';
import { brokenWords } from '../domain/text/broken-words.ts';
import { Recognition } from './ocr/recognition.ts';
import { partsOf } from './parts/parts-of.ts';
import { drawPage } from './pdf/draw-page.ts';
import type { ChunkOnTheWay, FromReader, ReaderAnswer, ReaderTask, ToReader } from './reader-messages.ts';
import { detectFormat, noticesOn, readFile } from './readers/read-file.ts';

const BATCH = 64;
const OPENING = 20_000;
let mayGoOn: () => void = () => {};

process.on('message', (message: ToReader) => {
  if (message.kind === 'next') mayGoOn();
  else void work(message).then(end);
});

// The server exited, or this process was replaced.
process.on('disconnect', () => process.exit(0));

const post = (message: FromReader): boolean => process.send!(message);

function end(answer: ReaderAnswer): void {
  post({ ...answer, residentBytes: process.memoryUsage.rss() });
}

async function work(task: ReaderTask): Promise<ReaderAnswer> {
  try {
    if (task.kind === 'read') return await read(task);
    if (task.kind === 'rows') return { kind: 'rows', rows: await rows(task) };
    if (task.kind === 'draw') return { kind: 'draw', drawn: await drawPage(task.file.path, task.page) };
    if (task.kind === 'parts') {
      for await (const part of partsOf(task.file, task.limits)) await send({ kind: 'part', part });
      return { kind: 'parts' };
    }
    const collector = new TableCollector(task.sheet);
    await readFile(task.file, task.format, collector, task.limits);
    return { kind: 'table', table: collector.typedTable(task.extra) };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

async function read(task: Extract<ReaderTask, { kind: 'read' }>): Promise<ReaderAnswer> {
  let type = typeByName(task.file.name);
  try {
    const format = detectFormat(task.file, task.limits);
    type = typeOfFormat(format);
    let batch: ChunkOnTheWay[] = [];
    let opening = '';
    const chunker = new FileChunker((chunk) => {
      if (opening.length < OPENING) opening += `${chunk.text}\n`;
      const words = [chunk.context, chunk.text, ...brokenWords(chunk.text)].join('\n');
      batch.push({ ...chunk, terms: tokeniseForIndex(words).join('\n') });
    }, task.limits);
    const recognition =
      task.ocr && new Recognition(task.ocr, (done, pages) => post({ kind: 'recognised', done, pages }));
    await readFile(task.file, format, chunker, task.limits, recognition);
    const notices = noticesOn(task.file, format);
    const facts = { ...chunker.end(), ...(notices.length > 0 && { notices }) };
    if (facts.chunks === 0) throw new UnreadableFile('It has no text');
    for (; batch.length > BATCH; batch = batch.slice(BATCH))
      await send({ kind: 'chunks', chunks: batch.slice(0, BATCH) });
    const summary = summariseFile(format, facts, opening.slice(0, OPENING));
    return { kind: 'read', outcome: { ok: true, format, facts, summary }, chunks: batch };
  } catch (error) {
    return { kind: 'read', outcome: { ok: false, reason: reasonOf(error), type }, chunks: [] };
  }
}

// Wait for the receiver, so that chunks of a large file do not pile up there.
function send(message: FromReader): Promise<void> {
  return new Promise((resolve) => {
    mayGoOn = resolve;
    post(message);
  });
}

async function rows(task: Extract<ReaderTask, { kind: 'rows' }>): Promise<readonly SheetRow[]> {
  const collector = new RowCollector(task.range);
  await readFile(task.file, task.format, collector, task.limits);
  return collector.rows;
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  if (error instanceof RangeError && /string|array/i.test(error.message)) return 'It is too large to be read';
  return 'It is broken: it could not be read to its end';
}
