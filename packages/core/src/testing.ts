export type { ArgumentsOptions } from './testing/arguments-for.ts';
export {
  connectHttp,
  connectInMemory,
  connectStdio,
  connectV1,
  type HttpOptions,
  type ProgramOptions,
} from './testing/connect.ts';
export { type ContractSuiteOptions, contractSuite } from './testing/contract-suite.ts';
export { everythingApp } from './testing/everything-app.ts';
export { type CorpusCall, type FuzzSuiteOptions, fuzzSuite } from './testing/fuzz-suite.ts';
export { layerSuite } from './testing/layer-suite.ts';
export { type SeedCall, type SeedExample, seedSuite } from './testing/seed-suite.ts';
export { blobStoreSuite } from './testing/storage-blobs-suite.ts';
export { cacheSuite } from './testing/storage-cache-suite.ts';
export { rateLimiterSuite } from './testing/storage-limits-suite.ts';
export { recordStoreSuite } from './testing/storage-records-suite.ts';
export { searchIndexSuite } from './testing/storage-search-suite.ts';
export type { StorageSuiteOptions, StorageTarget } from './testing/storage-target.ts';
