import type { AggregatorConfig } from '../../config.ts';
import { visible } from '../../pins/suspicions.ts';
import { RegistryClient } from '../../registry/registry-client.ts';
import { settingsOf } from '../../registry/server-settings.ts';
import { mayWrite, print, printError } from '../cli-io.ts';
import { editConfig } from '../edit-config.ts';

interface RegistryAddition {
  /** Its name in the registry, such as `io.github.owner/server`. */
  readonly name: string;
  /** What to call it here; the last part of its name when left out. */
  readonly as?: string | undefined;
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly file: string;
  readonly config: AggregatorConfig;
}

/** Adds a server of the registry after showing what would run. */
export async function addFromRegistry({ name, as, flags, file, config }: RegistryAddition): Promise<number> {
  const key = as ?? (name.split('/').at(-1) ?? name).replace(/[^\w.@-]/g, '_').slice(0, 60);
  if (Object.hasOwn(config.mcpServers, key)) {
    printError(`there is already a server "${key}"; give another name with --as`);
    return 2;
  }
  const found = settingsOf(await new RegistryClient(config.registryUrl).latest(name), key);
  if (!found) {
    printError(`"${name}" has no package of npm, PyPI or Docker, and no address that speaks Streamable HTTP`);
    return 1;
  }
  print(`"${key}": ${visible(JSON.stringify(found.settings))}`);
  const refusal = await mayWrite(flags);
  if (refusal !== undefined) return refusal;
  editConfig(file, [{ path: ['mcpServers', key], value: found.settings }]);
  print(`Added "${key}" to ${file}`);
  for (const secret of found.secrets) print(`It needs a secret: run "atoll secret set ${secret}"`);
  for (const variable of found.variables) print(`It needs the environment variable ${variable}`);
  return 0;
}
