export { configDefinition, type MstyConfig } from './config.ts';
export { contract, contractWith } from './contract.ts';
export { TOOLSETS, type Toolset } from './schemas.ts';
export { createMstyServer } from './server.ts';
export { MstyService, type ServiceOptions } from './service.ts';
