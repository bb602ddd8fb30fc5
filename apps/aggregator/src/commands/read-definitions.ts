import { silentLogger } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import { definitionsOf, type PinnedServer, pinOf } from '../pins/definition.ts';
import { type Suspicion, suspicionsOf } from '../pins/suspicions.ts';
import { createAtollServer } from '../server.ts';
import { externalUpstreams } from '../upstreams/configured.ts';
import { identityOf } from '../upstreams/upstream-registry.ts';

/** What a server lists now; without `now` it could not be started. */
interface ReadDefinitions {
  readonly key: string;
  readonly now?: PinnedServer;
  readonly problem?: string;
  readonly suspicions: readonly Suspicion[];
}

/** Starts the given servers once and reads their tools. Pins nothing. */
export async function readDefinitions(
  config: AggregatorConfig,
  env: NodeJS.ProcessEnv,
  keys: readonly string[],
): Promise<ReadDefinitions[]> {
  const wanted = new Map([...externalUpstreams(config)].filter(([key]) => keys.includes(key)));
  const servers = new Set([...wanted.values()].map(({ server }) => server));
  const mcpServers = Object.fromEntries(Object.entries(config.mcpServers).filter(([key]) => servers.has(key)));
  const quiet = { auditFile: undefined, builtin: false, pinning: 'off' as const, mcpServers };
  const app = createAtollServer({ ...config, ...quiet }, { env, log: silentLogger });
  try {
    await app.begun();
    const supervisors = app.supervisors.filter(({ key }) => wanted.has(key));
    return await Promise.all(
      supervisors.map(async (supervisor) => {
        const { key } = supervisor;
        const settings = wanted.get(key)?.config;
        const link = await supervisor.ready().catch(() => undefined);
        if (!link || !settings) return { key, problem: supervisor.downReason ?? 'it does not start', suspicions: [] };
        const { tools } = supervisor.lists;
        const now = pinOf(identityOf(settings), link.serverInfo, definitionsOf(tools));
        return { key, now, suspicions: tools.flatMap(suspicionsOf) };
      }),
    );
  } finally {
    await app.close();
  }
}

/** The servers to read: the named one, or all that are enabled. Undefined if the name is unknown. */
export function chosenServers(config: AggregatorConfig, name: string | undefined): string[] | undefined {
  const all = externalUpstreams(config);
  if (name !== undefined) return all.has(name) ? [name] : undefined;
  return [...all].flatMap(([key, { config: own }]) => (own.disabled ? [] : [key]));
}
