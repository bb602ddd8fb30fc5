import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreSuite, cacheSuite, rateLimiterSuite, recordStoreSuite, searchIndexSuite } from '@atoll-mcp/testing';

const options = {
  durable: true,
  async make() {
    const dataDir = await mkdtemp(join(tmpdir(), 'atoll-storage-'));
    return { options: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
  },
};

recordStoreSuite('a folder', options);
blobStoreSuite('a folder', options);
searchIndexSuite('a folder', options);
cacheSuite('a folder', options);
rateLimiterSuite('a folder', options);
