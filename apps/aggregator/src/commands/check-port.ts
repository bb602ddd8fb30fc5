import { createServer } from 'node:net';
import { isObject, withDeadline } from '@atoll-mcp/core';
import { formatHost } from '@atoll-mcp/server';
import { CHALLENGE } from '../access/authenticate.ts';
import type { AggregatorConfig } from '../config.ts';
import type { Finding } from './findings.ts';

/** Whether the port is free or used by another Atoll. */
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
    return { what, isFine: true, detail: 'in use by a running Atoll' };
  return {
    what,
    isFine: false,
    detail: `is not available (${problem.code})`,
    repair: 'stop the program that uses it, or choose another with --port',
  };
}

/** Without a token, because another program may be listening. */
async function isAtoll({ host, port }: AggregatorConfig): Promise<boolean> {
  const at = `http://${formatHost(host)}:${port}`;
  try {
    return await withDeadline(2_000, undefined, async (signal) => {
      const health = await fetch(`${at}/health`, { signal, redirect: 'error' });
      // Atoll's health report names upstreams, unless it requires a token.
      if (isObject(((await health.json()) as { upstreams?: unknown }).upstreams)) return true;
      const mcp = await fetch(`${at}/mcp`, { signal, redirect: 'error' });
      await mcp.body?.cancel();
      return mcp.headers.get('www-authenticate')?.startsWith(CHALLENGE) ?? false;
    });
  } catch {
    return false;
  }
}
