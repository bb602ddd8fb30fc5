export { type MountTarget, mountContract } from './mount/mount-contract.ts';
export { type FetchHandler, type FetchHandlerOptions, toFetchHandler } from './mount/to-fetch-handler.ts';
