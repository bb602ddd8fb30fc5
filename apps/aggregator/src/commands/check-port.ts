import { createServer } from 'node:net';
import { inUrl, withDeadline } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import { isObject } from '../wire/message.ts';
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

/** Our health names upstreams; nobody else's is likely to. Asked without a token, for a stranger may listen. */
async function isAtoll({ host, port }: AggregatorConfig): Promise<boolean> {
  const health = async (signal: AbortSignal) =>
    (await fetch(`http://${inUrl(host)}:${port}/health`, { signal, redirect: 'error' })).json();
  try {
    return isObject(((await withDeadline(2_000, undefined, health)) as { upstreams?: unknown }).upstreams);
  } catch {
    return false;
  }
}
