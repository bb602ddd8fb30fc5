import { ConfigError } from '@atoll-mcp/server';
import { type AggregatorConfig, type BuiltinConfig, builtinSchema, type UpstreamConfig } from '../config.ts';
import { accountKey } from '../login/account.ts';
import type { Pinning } from '../pins/upstream-pin.ts';
import { BUILTIN_NAMES, type BuiltinName } from './builtin.ts';

export type Settings =
  | { readonly kind: 'builtin'; readonly name: BuiltinName; readonly config: BuiltinConfig }
  | External;

/** A server under `mcpServers`, with one of its accounts. */
export interface External {
  readonly kind: 'external';
  /** Its key in the configuration. */
  readonly server: string;
  /** With the account that it uses. */
  readonly config: UpstreamConfig;
  /** Whether it is used only where a view or token names its account. */
  readonly isAlternative: boolean;
}

/** The upstreams of a configuration, built-in ones first. A key in both lists belongs to `mcpServers`. */
export function configuredUpstreams(config: AggregatorConfig): Map<string, Settings> {
  const { builtin, servers } = config;
  const all = new Map<string, Settings>();
  const chosen = servers ?? Object.fromEntries(BUILTIN_NAMES.map((name) => [name, builtinSchema.parse({})]));
  for (const name of builtin ? BUILTIN_NAMES : []) {
    const own = chosen[name];
    if (own) all.set(name, { kind: 'builtin', name, config: own });
  }
  for (const [key, settings] of externalUpstreams(config)) all.set(key, settings);
  return all;
}

/** The servers under `mcpServers`, each followed by itself with every other account that a view or token names. */
export function externalUpstreams({ mcpServers, inheritEnv, views, tokens }: AggregatorConfig): Map<string, External> {
  const named = [...Object.values(views), ...tokens].flatMap(({ accounts }) => Object.entries(accounts ?? {}));
  const all = new Map<string, External>();
  for (const [server, own] of Object.entries(mcpServers)) {
    const config = { ...own, inheritEnv: [...inheritEnv, ...own.inheritEnv] };
    all.set(server, { kind: 'external', server, config, isAlternative: false });
    if (own.url === undefined) continue;
    for (const [name, account] of named) {
      if (name !== server || account === own.account) continue;
      all.set(accountKey(server, account), {
        kind: 'external',
        server,
        config: { ...config, account },
        isAlternative: true,
      });
    }
  }
  return all;
}

/** A misspelt server would otherwise be used with the account of everyone else. */
export function assertAccounts({ mcpServers, views, tokens }: AggregatorConfig): void {
  const places = [
    ...Object.entries(views).map(([name, view]) => [`views.${name}`, view] as const),
    ...tokens.map((token, index) => [`tokens.${index}`, token] as const),
  ];
  const problems = places.flatMap(([place, { accounts = {} }]) =>
    Object.keys(accounts)
      .filter((server) => !Object.hasOwn(mcpServers, server) || mcpServers[server]?.url === undefined)
      .map((server) => `"${place}.accounts": "${server}" is not a server with a url under "mcpServers"`),
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Servers with a setting of their own for what happens to changed definitions. */
export function ownPinning(config: AggregatorConfig): Map<string, Pinning> {
  const pinned = [...externalUpstreams(config)].flatMap(([key, { config: own }]): [string, Pinning][] =>
    own.pinning ? [[key, own.pinning]] : [],
  );
  return new Map(pinned);
}
