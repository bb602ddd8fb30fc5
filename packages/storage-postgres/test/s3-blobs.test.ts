import { randomUUID } from 'node:crypto';
import { registerStorageDriver, type StorageDriver } from '@atoll-mcp/storage';
import { blobStoreSuite } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { S3Blobs } from '../src/s3-blobs.ts';
import { storageDriver } from '../src/storage.ts';
import { makeObjectStore } from './object-store.ts';

let store: Awaited<ReturnType<typeof makeObjectStore>>;
beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  store = await makeObjectStore();
  // Blobs never touch the database, so none is needed here.
  const driver: StorageDriver = (options) => storageDriver({ ...options, url: 'postgres://nobody@127.0.0.1:1/none' });
  registerStorageDriver('s3-only', driver);
}, 180_000);
afterAll(() => store.remove());

blobStoreSuite('an object store', {
  // Other processes would need the driver registered too; a killed writer is tested on PostgreSQL.
  durable: false,
  async make() {
    const blobUrl = `s3://atoll/${randomUUID()}?endpoint=${encodeURIComponent(store.endpoint)}`;
    return { options: { dataDir: '', url: 's3-only:', blobUrl }, remove: async () => {} };
  },
});

test('a store that is not there, and an address that names none, say so', async () => {
  expect(() => new S3Blobs('https://example.org/x', 'n')).toThrow(/s3:\/\/bucket/);
  const gone = new S3Blobs('s3://atoll/x?endpoint=http%3A%2F%2F127.0.0.1%3A1', 'n');
  await expect(gone.put(Uint8Array.of(1))).rejects.toMatchObject({ code: 'unavailable' });
  await gone.close();
}, 60_000);
