import { createServer } from 'node:net';
import { inUrl, withDeadline } from '@atoll-mcp/core';
import { CHALLENGE } from '../access/authenticate.ts';
import type { AggregatorConfig } from '../config.ts';
import { isObject } from '../upstreams/wire/message.ts';
import type { Finding } from './doctor.ts';

/** Whether the port is free, or taken by an Atoll, which is as good. */
export async function checkPort(config: AggregatorConfig): Promise<Finding> {
  const { host, port } = config;
  const what = `port ${port}`;
  const server = createServer();
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve(undefined));
  });
  server.close();
  if (!problem) return { what, isFine: true, detail: 'free' };
  if (problem.code === 'EADDRINUSE' && (await isAtoll(config)))
    return { what, isFine: true, detail: 'in use by an Atoll that runs already' };
  return {
    what,
    isFine: false,
    detail: `cannot be taken (${problem.code})`,
    repair: 'stop what uses it, or give another with --port',
  };
}

/** Asked without a token, for a stranger may listen. */
async function isAtoll({ host, port }: AggregatorConfig): Promise<boolean> {
  const at = `http://${inUrl(host)}:${port}`;
  try {
    return await withDeadline(2_000, undefined, async (signal) => {
      const health = await fetch(`${at}/health`, { signal, redirect: 'error' });
      // Ours names upstreams, unless it is behind a token; nobody else's is likely to.
      if (isObject(((await health.json()) as { upstreams?: unknown }).upstreams)) return true;
      const door = await fetch(`${at}/mcp`, { signal, redirect: 'error' });
      await door.body?.cancel();
      return door.headers.get('www-authenticate')?.startsWith(CHALLENGE) ?? false;
    });
  } catch {
    return false;
  }
}
