export type { Dtype, Tensor } from '@atoll-mcp/formats/dtypes';
export { chooseBackends } from './backends/choose.ts';
export type { Backends, CodeRunner, ItemStore, PromptPlanner, UserFiles, ValueFiles } from './backends/interface.ts';
export { configDefinition, type Settings } from './config.ts';
export { contract } from './contract.ts';
export { createTensorDirectoryServer } from './server.ts';
export { type Plan, plan } from './service/plans.ts';
export { TensorDirectoryService } from './service.ts';
