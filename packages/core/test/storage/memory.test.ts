import { blobStoreSuite } from '../../src/testing/storage-blobs-suite.ts';
import { cacheSuite } from '../../src/testing/storage-cache-suite.ts';
import { rateLimiterSuite } from '../../src/testing/storage-limits-suite.ts';
import { recordStoreSuite } from '../../src/testing/storage-records-suite.ts';
import { searchIndexSuite } from '../../src/testing/storage-search-suite.ts';

const options = {
  durable: false,
  make: async () => ({ options: { dataDir: '', url: 'memory:' }, remove: async () => {} }),
};

recordStoreSuite('memory', options);
blobStoreSuite('memory', options);
searchIndexSuite('memory', options);
cacheSuite('memory', options);
rateLimiterSuite('memory', options);
