import { blobStoreSuite, cacheSuite, rateLimiterSuite, recordStoreSuite, searchIndexSuite } from '@atoll-mcp/testing';

const options = {
  durable: false,
  make: async () => ({ options: { dataDir: '', url: 'memory:' }, remove: async () => {} }),
};

recordStoreSuite('memory', options);
blobStoreSuite('memory', options);
searchIndexSuite('memory', options);
cacheSuite('memory', options);
rateLimiterSuite('memory', options);
