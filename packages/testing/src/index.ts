export type { ArgumentsOptions } from './arguments-for.ts';
export { compatibility, type Incompatibility } from './compatibility.ts';
export {
  connectHttp,
  connectInMemory,
  connectStdio,
  connectV1,
  type HttpOptions,
  type ProgramOptions,
} from './connect.ts';
export { type ContractSuiteOptions, contractSuite } from './contract-suite.ts';
export { everythingApp } from './everything-app.ts';
export { type CorpusCall, type FuzzSuiteOptions, fuzzSuite } from './fuzz-suite.ts';
export { layerSuite } from './layer-suite.ts';
export { type OriginalCall, type OriginalExample, originalSuite } from './original-suite.ts';
export { type PrivacySuiteOptions, privacySuite } from './privacy-suite.ts';
export { blobStoreSuite } from './storage-blobs-suite.ts';
export { cacheSuite } from './storage-cache-suite.ts';
export { rateLimiterSuite } from './storage-limits-suite.ts';
export { recordStoreSuite } from './storage-records-suite.ts';
export { counters, DIMENSIONS, type Entry, entries, unitVector } from './storage-samples.ts';
export { searchIndexSuite } from './storage-search-suite.ts';
export type { StorageSuiteOptions, StorageTarget } from './storage-target.ts';
