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
export { layerSuite } from './testing/layer-suite.ts';
export { type SeedCall, type SeedExample, seedSuite } from './testing/seed-suite.ts';
