import type { Readable } from 'node:stream';

/** What a server stores things in. Nothing is opened before it is first used. */
export interface Storage {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  /** The same definition gives the same index again. */
  searchIndex(definition: SearchIndexDefinition): SearchIndex;
  cache(definition: CacheDefinition): Cache;
  rateLimiter(definition: RateLimiterDefinition): RateLimiter;
  /** Waits for running work, then closes every file and worker. */
  close(): Promise<void>;
}

/** Anything JSON can carry, found by its id. */
export interface StoredRecord {
  readonly id: string;
}

export type FieldType = 'text' | 'integer' | 'real' | 'boolean';
export type FieldValue = string | number | boolean | null;
type FieldName<R> = Extract<keyof R, string>;

/** What a store needs to know about a kind of record: the fields to filter, sort or be unique by. Other fields are stored as they are. */
export interface CollectionDefinition<R extends StoredRecord> {
  /** Lower-case letters, digits and underscores. */
  readonly name: string;
  /** Raise it when anything below changes: the store then indexes its records again. */
  readonly version: number;
  readonly fields: Readonly<Partial<Record<FieldName<R>, FieldType>>>;
  /** Text fields that are also searched or sorted without regard to case (`toLowerCase`, all of Unicode). */
  readonly ignoreCase?: readonly FieldName<R>[];
  /** Field combinations that no two records share. A missing or null field never equals another. */
  readonly unique?: readonly (readonly FieldName<R>[])[];
  /** Field combinations worth an index. */
  readonly indexes?: readonly (readonly FieldName<R>[])[];
}

export type Condition =
  | FieldValue
  | { readonly not: FieldValue }
  | { readonly in: readonly FieldValue[] }
  | {
      readonly above?: string | number;
      readonly atLeast?: string | number;
      readonly below?: string | number;
      readonly atMost?: string | number;
    }
  | { readonly contains: string; readonly ignoreCase?: boolean }
  | { readonly startsWith: string; readonly ignoreCase?: boolean };

/** Every condition must hold. Only `id` and declared fields can be named. */
export type Filter<R> = { readonly [F in FieldName<R>]?: Condition };

export interface Order<R> {
  readonly field: FieldName<R>;
  readonly direction?: 'asc' | 'desc';
  readonly ignoreCase?: boolean;
}

export interface ListOptions<R> {
  /** A list of filters means: any of them. */
  readonly where?: Filter<R> | readonly Filter<R>[];
  /** Null comes first, false before true, text by code point; equal records follow in the order of their ids. */
  readonly order?: readonly Order<R>[];
  readonly limit?: number;
  readonly offset?: number;
}

export interface Page<R> {
  readonly items: R[];
  /** How many match, on all pages together. */
  readonly total: number;
}

export interface Collection<R extends StoredRecord> {
  get(id: string): Promise<R | undefined>;
  /** In the order asked for; undefined where there is none. */
  getMany(ids: readonly string[]): Promise<(R | undefined)[]>;
  /** Stores or replaces; durable when it resolves. A broken unique rule is a `conflict`. */
  put(record: R): Promise<void>;
  /** All or none. */
  putMany(records: readonly R[]): Promise<void>;
  /** Stores a new record; a taken id is a `conflict`. */
  insert(record: R): Promise<void>;
  /** Returns whether there was one. */
  delete(id: string): Promise<boolean>;
  /** Limit 50 unless told otherwise. */
  list(options?: ListOptions<R>): Promise<Page<R>>;
  count(where?: ListOptions<R>['where']): Promise<number>;
  /** All that match, in the order of their ids, read in batches and without a lock. */
  scan(where?: ListOptions<R>['where']): AsyncIterable<R>;
}

export interface Collections {
  collection<R extends StoredRecord>(definition: CollectionDefinition<R>): Collection<R>;
}

export interface RecordStore extends Collections {
  /**
   * Runs `work` as if alone, across processes too; what it throws undoes all of it. It uses the collections that it
   * is given: those of the store itself refuse it. `work` may run more than once, so it must have no other side effects.
   */
  transaction<T>(work: (transaction: Collections) => Promise<T>): Promise<T>;
  /** Whether the file of an open store still exists: if it was deleted, writes to it are lost without an error. */
  isThere?(): Promise<boolean>;
  close(): Promise<void>;
}

/** The bytes stay as they are until they are stored. */
export type BlobSource = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;

export interface BlobInfo {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface StoredBlob {
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface PutBlobOptions {
  /**
   * Where to keep it: parts of letters, digits, `.`, `_` and `-`, joined by `/`. A function is given the content's
   * SHA-256. Without one, the key is `sha256/<first two digits>/<digest>`, and the same bytes are stored once.
   */
  readonly key?: string | ((sha256: string) => string);
}

/** Bytes from `start` (0) up to, not including, `end` (the blob's end). */
export interface ByteRange {
  readonly start?: number;
  readonly end?: number;
}

/** A key whose last part begins with the content's SHA-256 is checked whenever the blob is read whole. */
export interface BlobStore {
  /** Readers see the old blob or the new one, never a part; durable when it resolves. */
  put(source: BlobSource, options?: PutBlobOptions): Promise<StoredBlob>;
  /** A stream that ends early, or with a wrong hash, fails as `corrupt`. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Exactly that many bytes; a blob too short for it is `corrupt`. */
  readRange(key: string, start: number, length: number): Promise<Uint8Array>;
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Returns whether there was one. */
  delete(key: string): Promise<boolean>;
  /** In the order of the keys. */
  list(prefix?: string): AsyncIterable<BlobInfo>;
  /** A file with the blob's bytes, to be read only, where the driver has one. */
  localPath?(key: string): Promise<string>;
  close(): Promise<void>;
}

export interface SearchIndexDefinition {
  /** Lower-case letters, digits and underscores. */
  readonly name: string;
  /** Length of every vector, fixed for the life of the index. */
  readonly dimensions: number;
}

/** Terms are compared as they are: cutting text into them is the caller's part, so every engine gets the same. */
export interface IndexedChunk {
  /** Every occurrence; the order does not matter. */
  readonly terms: readonly string[];
  /** Of length 1, so that the dot product is the cosine. */
  readonly vector?: Float32Array | undefined;
  /** Stored and returned, never searched: text, page, row range. */
  readonly payload?: unknown;
}

export interface IndexedDocument {
  readonly id: string;
  /** What searches can be narrowed by. */
  readonly attributes?: Readonly<Record<string, FieldValue>>;
  /** A chunk is named by its document and its place in this list. */
  readonly chunks: readonly IndexedChunk[];
}

export interface ChunkRef {
  readonly documentId: string;
  readonly chunk: number;
}

export interface SearchHit extends ChunkRef {
  readonly score: number;
}

export interface SearchFilter {
  readonly documentIds?: readonly string[];
  /** Each attribute must have the value, one of the values, or a number within the range. */
  readonly attributes?: Readonly<Record<string, FieldValue | readonly FieldValue[] | NumberRange>>;
}

/** Both ends are included; an attribute that is not a number is in no range. */
export interface NumberRange {
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface SearchRequest {
  readonly terms?: readonly { readonly term: string; readonly boost?: number }[];
  readonly vector?: Float32Array | undefined;
  readonly filter?: SearchFilter;
  /** How many hits of each kind at most. */
  readonly k: number;
  readonly signal?: AbortSignal;
}

/** Each list best first. Putting them together is the caller's part. */
export interface SearchResult {
  /** BM25 (k1 1.2, b 0.75, idf ln(1 + (N − n + ½) / (n + ½))), each term's share times its boost. */
  readonly lexical: SearchHit[];
  /** The highest possible score: that of a chunk full of every term. Divides a score into a share from 0 to 1; 0 without terms. */
  readonly lexicalBound: number;
  /** Dot product, exact to float32. */
  readonly vector: SearchHit[];
}

export interface SearchIndexStats {
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
}

export interface SearchIndex {
  /** Replaces the document atomically: searches see all of its chunks or none. Durable when it resolves. */
  upsert(document: IndexedDocument): Promise<void>;
  /** Replaces what searches narrow the document by, and leaves its chunks alone. Returns whether there was one. */
  updateAttributes(documentId: string, attributes: NonNullable<IndexedDocument['attributes']>): Promise<boolean>;
  /** Returns whether there was one. */
  remove(documentId: string): Promise<boolean>;
  /** Sees everything that was acknowledged before, by this process or another. */
  search(request: SearchRequest): Promise<SearchResult>;
  /** In the order asked for; undefined where the chunk is gone or had none. */
  payloads(chunks: readonly ChunkRef[]): Promise<unknown[]>;
  stats(): Promise<SearchIndexStats>;
  /** Every document as it would be put again, in the order of their ids, read one by one and without a lock. */
  documents(): AsyncIterable<IndexedDocument>;
  /** Reads what the first search needs, so that the first search is as fast as the next. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

export interface CacheDefinition {
  readonly name: string;
  /** Keys and values together. The least recently used entry is evicted first. */
  readonly maxBytes: number;
}

export interface CacheStats {
  readonly entries: number;
  readonly sizeBytes: number;
  readonly maxBytes: number;
  /** Of this process, since it opened the cache. */
  readonly hits: number;
  readonly misses: number;
}

/** May evict anything at any time; never returns a wrong value. */
export interface Cache {
  /** In the order asked for; undefined where there is none. */
  getMany(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
  setMany(entries: readonly (readonly [key: string, value: Uint8Array])[]): Promise<void>;
  stats(): Promise<CacheStats>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface RateLimiterDefinition {
  readonly name: string;
  /** Total cost allowed to one key within any window. */
  readonly limit: number;
  /** A minute unless told otherwise. */
  readonly windowMs?: number;
}

export interface RateLimitAnswer {
  readonly allowed: boolean;
  readonly remaining: number;
  /** 0 when allowed; else when to try again. Infinity when the cost alone is over the limit. */
  readonly retryAfterMs: number;
}

export interface RateLimiter {
  /** Takes `cost` (1) from the key's window, or nothing at all. */
  take(key: string, cost?: number): Promise<RateLimitAnswer>;
  close(): Promise<void>;
}
