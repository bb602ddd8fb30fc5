import { randomUUID } from 'node:crypto';
import { registerStorageDriver } from '@atoll-mcp/storage';
import { blobStoreSuite, cacheSuite, rateLimiterSuite, recordStoreSuite, searchIndexSuite } from '@atoll-mcp/testing';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { storageDriver } from '../src/storage.ts';
import { makePostgres, type TestPostgres } from './server.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await makePostgres();
  registerStorageDriver('postgres', storageDriver);
}, 180_000);
afterAll(() => server.remove());

/** Each test gets a schema of its own on the one server. */
const options = {
  durable: true,
  async make() {
    const namespace = `t_${randomUUID().slice(0, 8)}`;
    return { options: { dataDir: '', url: server.url, namespace }, remove: () => drop(`atoll_${namespace}`) };
  },
};

async function drop(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.end();
}

recordStoreSuite('PostgreSQL', options);
blobStoreSuite('PostgreSQL', options);
searchIndexSuite('PostgreSQL', options);
cacheSuite('PostgreSQL', options);
rateLimiterSuite('PostgreSQL', options);
