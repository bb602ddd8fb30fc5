import type {
  ChunkRef,
  IndexedDocument,
  SearchIndex,
  SearchIndexDefinition,
  SearchIndexStats,
  SearchRequest,
  SearchResult,
} from '@atoll-mcp/core/storage';
import { closedStore } from '@atoll-mcp/core/storage';
import { checkDocument, checkIndexDefinition, checkRequest } from '../../rules/search-checks.ts';
import { packed } from '../../search/packed-document.ts';
import { DocumentReader } from '../../search/search-documents.ts';
import { chunkKey, searchFile } from '../../search/search-file.ts';
import { WorkerLink } from '../../search/worker-link.ts';
import { LazyConnection } from './lazy-connection.ts';
import { retryWhileBusy } from './sqlite-connection.ts';

// Beside the bundle when built; tests that run the sources use the built worker as well.
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/search-worker.js' : './search-worker.js',
  import.meta.url,
);

/** A search index in one SQLite file. One thread writes, another searches, so neither waits for the other. */
export class SqliteSearch implements SearchIndex {
  readonly #definition: SearchIndexDefinition;
  readonly #file: LazyConnection;
  readonly #writer: WorkerLink;
  readonly #reader: WorkerLink;
  #closed = false;

  constructor(path: string, definition: SearchIndexDefinition) {
    checkIndexDefinition(definition);
    this.#definition = definition;
    this.#file = new LazyConnection(searchFile(path, definition));
    this.#writer = new WorkerLink(WORKER, { path, definition });
    this.#reader = new WorkerLink(WORKER, { path, definition });
  }

  async upsert(document: IndexedDocument): Promise<void> {
    this.#refuseClosed();
    checkDocument(this.#definition, document);
    await this.#writer.ask('upsert', packed(document));
  }

  async updateAttributes(documentId: string, attributes: NonNullable<IndexedDocument['attributes']>): Promise<boolean> {
    this.#refuseClosed();
    return this.#writer.ask('attributes', { documentId, attributes });
  }

  async remove(documentId: string): Promise<boolean> {
    this.#refuseClosed();
    return this.#writer.ask('remove', documentId);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    this.#refuseClosed();
    checkRequest(this.#definition, request);
    const { signal, ...rest } = request;
    signal?.throwIfAborted();
    const result = await this.#reader.ask<SearchResult>('search', rest);
    signal?.throwIfAborted();
    return result;
  }

  async payloads(chunks: readonly ChunkRef[]): Promise<unknown[]> {
    const connection = await this.#file.get();
    return retryWhileBusy(() =>
      connection.snapshot(() => {
        const docs = new Map<string, number | undefined>();
        const docOf = (id: string) => {
          const row = connection.get('SELECT doc FROM documents WHERE id = ?', id);
          const doc = row && Number(row.doc);
          docs.set(id, doc);
          return doc;
        };
        return chunks.map(({ documentId, chunk }) => {
          const doc = docs.has(documentId) ? docs.get(documentId) : docOf(documentId);
          if (doc === undefined) return undefined;
          const row = connection.get('SELECT value FROM payloads WHERE key = ?', chunkKey(doc, chunk));
          return row === undefined ? undefined : JSON.parse(row.value as string);
        });
      }),
    );
  }

  async stats(): Promise<SearchIndexStats> {
    const connection = await this.#file.get();
    const row = await retryWhileBusy(() => connection.get(COUNTS));
    return { documents: Number(row?.documents), chunks: Number(row?.chunks), vectors: Number(row?.vectors) };
  }

  async *documents(): AsyncIterable<IndexedDocument> {
    const connection = await this.#file.get();
    const reading = new DocumentReader(connection, this.#definition);
    for (let id = await retryWhileBusy(() => reading.next('')); id !== undefined; ) {
      const from = id;
      const document = await retryWhileBusy(() => reading.read(from));
      if (document) yield document;
      id = await retryWhileBusy(() => reading.next(from));
    }
  }

  async warm(): Promise<void> {
    this.#refuseClosed();
    await this.#reader.ask('warm');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([this.#writer, this.#reader].map(finish));
    await this.#file.close();
  }

  #refuseClosed(): void {
    if (this.#closed) throw closedStore('search index');
  }
}

/** Pending requests are still answered. */
async function finish(worker: WorkerLink): Promise<void> {
  if (!worker.running) return;
  await worker.ask('close').catch(() => {});
  await worker.stop();
}

const COUNTS = `SELECT count(*) AS documents, coalesce(sum(chunks), 0) AS chunks, coalesce(sum(vectors), 0) AS vectors
  FROM documents`;
