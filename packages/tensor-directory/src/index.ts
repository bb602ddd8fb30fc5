export { chooseBackends } from './backends/choose.ts';
export type { Backends, ModelRunner, PromptReader, Shelf, UserFiles, ValueFiles } from './backends/interface.ts';
export { configDefinition, type Settings } from './config.ts';
export { contract } from './contract.ts';
export type { Dtype, Tensor } from './domain/dtypes.ts';
export type { Intent } from './domain/intent.ts';
export { createTensorDirectoryServer } from './server.ts';
export { TensorDirectoryService } from './service.ts';
