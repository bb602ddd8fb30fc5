import { silentLogger } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import { definitionsOf, type PinnedServer, pinOf } from '../pins/definition.ts';
import { type Suspicion, suspicionsOf } from '../pins/suspicions.ts';
import { createAtollServer } from '../server.ts';
import { identityOf } from '../upstreams/upstream-registry.ts';

/** What a server lists now; without `now` it could not be started. */
export interface ReadDefinitions {
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
  const mcpServers = Object.fromEntries(Object.entries(config.mcpServers).filter(([key]) => keys.includes(key)));
  const quiet = { auditFile: undefined, builtin: false, pinning: 'off' as const, mcpServers };
  const app = createAtollServer({ ...config, ...quiet }, { env, log: silentLogger });
  try {
    await app.begun();
    return await Promise.all(
      app.supervisors.map(async (supervisor) => {
        const { key } = supervisor;
        const settings = mcpServers[key];
        const link = await supervisor.ready().catch(() => undefined);
        if (!link || !settings) return { key, problem: supervisor.whyDown ?? 'it does not start', suspicions: [] };
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
export function chosenServers({ mcpServers }: AggregatorConfig, name: string | undefined): string[] | undefined {
  if (name !== undefined) return Object.hasOwn(mcpServers, name) ? [name] : undefined;
  return Object.keys(mcpServers).filter((key) => !mcpServers[key]?.disabled);
}
