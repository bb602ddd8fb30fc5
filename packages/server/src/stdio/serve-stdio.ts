import type { Logger, McpApp } from '@atoll-mcp/core';
import { readLines, writeLine } from './lines.ts';
import { McpConnection } from './mcp-connection.ts';

/** How long running requests may take after the client has disconnected, and then how long aborting them may take. */
const LAST_WORK_MS = 400;
const GIVE_UP_MS = 3_000;

/**
 * Serves an app on this process's own stdin and stdout, and ends the process when the client disconnects:
 * at the end of input, a broken pipe or a signal, whatever timers or workers are still alive.
 */
export async function serveStdio(app: McpApp, options: { log: Logger }): Promise<void> {
  // A stray console.log of a library would break the protocol.
  console.log = console.info = console.debug = console.error;
  const connection = new McpConnection(app, { send: (text) => writeLine(process.stdout, text), log: options.log });
  let ending = false;
  const end = (reason: string) => {
    if (ending) return;
    ending = true;
    options.log.debug('stopping', { reason });
    setTimeout(() => connection.close(), LAST_WORK_MS);
    setTimeout(() => process.exit(0), LAST_WORK_MS + GIVE_UP_MS);
    connection
      .drained()
      .then(() => app.close())
      .catch((error) => options.log.error('closing failed', { error }))
      .finally(() => process.exit(0));
  };
  process.stdin.once('end', () => end('end of input'));
  process.stdin.once('close', () => end('end of input'));
  process.stdout.once('error', () => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end(signal));
  readLines(process.stdin, {
    take: (line) => connection.receiveText(line),
    takeBytes: (line) => connection.receiveBytes(line),
  });
}
