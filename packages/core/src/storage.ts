// What a driver in another package needs to keep the same rules as those of core.
export { Best } from './storage/best.ts';
export {
  blobNotFound,
  checkKey,
  keyFor,
  promisedHash,
  resolveRange,
  tooShort,
  wrongHash,
} from './storage/blob-keys.ts';
export { idf, MOST_OCCURRENCES, saturation } from './storage/bm25.ts';
export { type CopyOptions, type CopyProgress, type CopyReport, copyStorage } from './storage/copy-storage.ts';
export {
  alternatives,
  checkCollection,
  checkIgnoreCase,
  checkName,
  checkPage,
  checkRecord,
  conditions,
  fieldType,
  fieldValue,
  isObject,
} from './storage/definitions.ts';
export { closedStore, invalid, StorageError, type StorageErrorCode, taken } from './storage/errors.ts';
export type {
  BlobInfo,
  BlobSource,
  BlobStore,
  ByteRange,
  Cache,
  CacheDefinition,
  CacheStats,
  ChunkRef,
  Collection,
  CollectionDefinition,
  Collections,
  Condition,
  FieldType,
  FieldValue,
  Filter,
  IndexedChunk,
  IndexedDocument,
  ListOptions,
  Order,
  Page,
  PutBlobOptions,
  RateLimitAnswer,
  RateLimiter,
  RateLimiterDefinition,
  RecordStore,
  SearchFilter,
  SearchHit,
  SearchIndex,
  SearchIndexDefinition,
  SearchIndexStats,
  SearchRequest,
  SearchResult,
  Storage,
  StoredBlob,
  StoredRecord,
} from './storage/interface.ts';
export { type LocalContents, localContents } from './storage/local-contents.ts';
export { memoryStorage } from './storage/memory-storage.ts';
export { occurrences } from './storage/occurrences.ts';
export { once } from './storage/once.ts';
export {
  loadStorageDriver,
  openStorage,
  registerStorageDriver,
  type StorageDriver,
  type StorageOptions,
} from './storage/open-storage.ts';
export { type ChunkTerms, decodePostings, encodePostings } from './storage/postings.ts';
export { checkDocument, checkIndexDefinition, checkRequest } from './storage/search-checks.ts';
export { decide, MINUTE_MS } from './storage/sliding-window.ts';
