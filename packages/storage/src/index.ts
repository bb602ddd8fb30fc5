export { type CopyOptions, type CopyProgress, type CopyReport, copyStorage } from './copy/copy-storage.ts';
export { type LocalContents, localContents } from './copy/local-contents.ts';
export { memoryStorage } from './drivers/memory/memory-storage.ts';
export {
  loadStorageDriver,
  openStorage,
  registerStorageDriver,
  type StorageDriver,
  type StorageOptions,
} from './open-storage.ts';
// What a driver in another package needs to keep the same rules as those here.
export { blobNotFound, checkKey, keyFor, promisedHash, resolveRange, tooShort, wrongHash } from './rules/blob-keys.ts';
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
  isComparison,
} from './rules/definitions.ts';
export { lazyByName } from './rules/lazy-by-name.ts';
export { checkDocument, checkIndexDefinition, checkRequest } from './rules/search-checks.ts';
export { decide, MINUTE_MS } from './rules/sliding-window.ts';
