export { storageDriver } from './storage.ts';
