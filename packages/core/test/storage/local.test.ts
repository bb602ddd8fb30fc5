import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreSuite } from '../../src/testing/storage-blobs-suite.ts';
import { cacheSuite } from '../../src/testing/storage-cache-suite.ts';
import { rateLimiterSuite } from '../../src/testing/storage-limits-suite.ts';
import { recordStoreSuite } from '../../src/testing/storage-records-suite.ts';
import { searchIndexSuite } from '../../src/testing/storage-search-suite.ts';

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
