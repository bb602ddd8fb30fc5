import type { Json } from '@atoll-mcp/core';
import type { RegistryArgument, RegistryInput, RegistryPackage, RegistryServer } from './registry-client.ts';

/** An entry for `mcpServers`, and what the user has to provide. */
export interface ServerSettings {
  readonly settings: Json;
  /** Secrets it refers to as `${keychain:NAME}`. */
  readonly secrets: readonly string[];
  /** Environment variables it refers to. */
  readonly variables: readonly string[];
}

/** How a package of a registry is started. */
type Runner = (of: RegistryPackage, runtime: string[], env: string[]) => string[];

const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  Object.entries<Runner>({
    npm: ({ identifier, version }, runtime) => ['npx', '-y', ...runtime, versioned(identifier, '@', version)],
    pypi: ({ identifier, version }, runtime) => ['uvx', ...runtime, versioned(identifier, '@', version)],
    oci: ({ identifier, version }, runtime, env) => [
      ...['docker', 'run', '-i', '--rm', ...env.flatMap((name) => ['-e', name]), ...runtime],
      /[:@]/.test(identifier.slice(identifier.lastIndexOf('/'))) ? identifier : versioned(identifier, ':', version),
    ],
  }),
);

/** How to start or reach a server of the registry, called `key` here; undefined if Atoll can do neither. */
export function settingsOf(
  { name, version, packages, remotes }: RegistryServer,
  key: string,
): ServerSettings | undefined {
  const needs = new Needs(key);
  const registry = { name, version };
  const chosen = packages.find(
    ({ registryType, transport }) => RUNNERS.has(registryType) && transport.type === 'stdio',
  );
  if (chosen) {
    const env = needs.values(chosen.environmentVariables);
    const runtime = needs.words(chosen.runtimeArguments);
    const [command, ...args] = RUNNERS.get(chosen.registryType)?.(chosen, runtime, Object.keys(env)) ?? [];
    const words = [...args, ...needs.words(chosen.packageArguments)];
    return needs.with({ command, args: words, ...(Object.keys(env).length > 0 && { env }), registry });
  }
  const remote = remotes.find(({ type }) => type === 'streamable-http');
  if (!remote) return undefined;
  const headers = needs.values(remote.headers);
  return needs.with({ url: remote.url, ...(Object.keys(headers).length > 0 && { headers }), registry });
}

/** Replaces values that the user has to provide by references, and collects them. */
class Needs {
  readonly #key: string;
  readonly #secrets = new Set<string>();
  readonly #variables = new Set<string>();

  constructor(key: string) {
    this.#key = key.replace(/[^\w.@-]/g, '_');
  }

  values(inputs: readonly (RegistryInput & { readonly name: string })[]): Record<string, string> {
    return Object.fromEntries(
      inputs.flatMap((input) => {
        const value = this.#value(input, input.name);
        return value === undefined ? [] : [[input.name, value]];
      }),
    );
  }

  words(inputs: readonly RegistryArgument[]): string[] {
    return inputs.flatMap((input) => {
      const label = input.name ?? input.valueHint ?? 'argument';
      const isSwitch = input.type === 'named' && input.value === undefined && input.valueHint === undefined;
      if (isSwitch && input.default === undefined) return input.isRequired && input.name ? [input.name] : [];
      const value = this.#value(input, label);
      if (value === undefined) return [];
      return input.type === 'named' && input.name ? [input.name, value] : [value];
    });
  }

  with(settings: Json): ServerSettings {
    return { settings, secrets: [...this.#secrets], variables: [...this.#variables] };
  }

  /** Undefined for optional values. `{name}` in a value is a placeholder. */
  #value({ value, default: usual, isRequired, isSecret }: RegistryInput, label: string): string | undefined {
    if (value !== undefined)
      return value.replace(/\{([\w.-]+)\}/g, (_whole, name: string) => this.#reference(name, isSecret));
    if (usual !== undefined && !isSecret) return usual;
    return isRequired ? this.#reference(label, isSecret) : undefined;
  }

  #reference(label: string, isSecret: boolean): string {
    const plain = label.replace(/^-+/, '').replace(/[^A-Za-z0-9]+/g, '_');
    if (isSecret) {
      const name = `${this.#key}.${plain}`;
      this.#secrets.add(name);
      return `\${keychain:${name}}`;
    }
    const name = plain.toUpperCase().replace(/^(?=\d)/, '_');
    this.#variables.add(name);
    return `\${${name}}`;
  }
}

function versioned(identifier: string, sign: string, version: string | undefined): string {
  return version === undefined ? identifier : `${identifier}${sign}${version}`;
}
