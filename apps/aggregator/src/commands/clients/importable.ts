import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@atoll-mcp/core';
import { type AggregatorConfig, configDefinition, SERVER_NAME, upstreamSchema } from '../../config.ts';
import type { ClientName } from './clients.ts';
import { type FoundServer, serversOf } from './read-client.ts';

/** A server that can be taken over, or why it is left out. */
type Importable = Pick<FoundServer, 'name' | 'file' | 'secrets'> &
  ({ readonly settings: Json } | { readonly leftOut: string });

/** The servers in the configurations of clients, and the clients whose files are not JSON. */
export function readClients(clients: readonly ClientName[], env: NodeJS.ProcessEnv, cwd: string) {
  const found: FoundServer[] = [];
  const unreadable: ClientName[] = [];
  for (const client of clients) {
    try {
      found.push(...serversOf(client, env, cwd));
    } catch {
      unreadable.push(client);
    }
  }
  return { found, unreadable };
}

/** Decides about each server: of several with one name the first is taken; existing servers are not replaced. */
export function importable(
  found: readonly FoundServer[],
  { mcpServers }: Pick<AggregatorConfig, 'mcpServers'>,
): Importable[] {
  const chosen = new Map<string, unknown>(Object.entries(mcpServers));
  return found.map(({ name, file, settings = {}, problem, secrets }) => {
    const why = problem ?? refusal(name, settings);
    if (why !== undefined) return { name, file, secrets, leftOut: why };
    const known = chosen.get(name);
    if (known !== undefined) {
      const isSame = isDeepStrictEqual(upstreamSchema.parse(known), upstreamSchema.parse(settings));
      const leftOut = `there is ${isSame ? 'the same' : 'another'} server of this name already`;
      return { name, file, secrets, leftOut };
    }
    chosen.set(name, settings);
    return { name, file, secrets, settings };
  });
}

/** Why the configuration cannot have such a server. */
function refusal(name: string, settings: object): string | undefined {
  if (isAtoll(settings)) return 'it is Atoll itself';
  if (!SERVER_NAME[0].test(name)) return `its name ${SERVER_NAME[1]}`;
  const checked = configDefinition.schema.safeParse({ mcpServers: { [name]: settings } });
  if (checked.success) return undefined;
  return checked.error.issues.map(({ message }) => message).join('; ');
}

function isAtoll(settings: { command?: unknown; args?: unknown }): boolean {
  const words = [settings.command, ...(Array.isArray(settings.args) ? settings.args : [])];
  return words.some(
    (word) =>
      typeof word === 'string' &&
      /(^|[\\/])atoll(\.cmd|\.exe)?$|@atoll-mcp\/aggregator|aggregator[\\/]dist[\\/]cli\.js$/.test(word),
  );
}
