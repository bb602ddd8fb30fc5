import type { Logger } from '@atoll-mcp/core';

/**
 * Keeps a program serving when a promise was rejected and nothing handled it: one forgotten `catch` must not end every
 * session. Each is logged as the bug it is. Returns how many there were, for the health report.
 */
export function handleUnhandledRejections(log: Logger): () => number {
  let count = 0;
  process.on('unhandledRejection', (error) => {
    count++;
    log.error('unhandled rejection', { error });
  });
  return () => count;
}
