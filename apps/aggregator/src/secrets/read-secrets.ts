import { ConfigError } from '@atoll-mcp/server';
import type { SecretStore } from './secret-store.ts';

const REFERENCE = /\$\{keychain:([\w.@-]{1,100})\}/g;

/** The secrets that some settings refer to as `${keychain:NAME}`. The store is opened only if there are any. */
export async function readSecrets(texts: readonly string[], store: SecretStore): Promise<ReadonlyMap<string, string>> {
  const names = new Set(texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name]) => name as string)));
  const found = new Map<string, string>();
  for (const name of names) {
    const value = await store.get(name);
    if (value === undefined) {
      throw new ConfigError([`secret "${name}" not found; store it with "atoll secret set ${name}"`]);
    }
    found.set(name, value);
  }
  return found;
}

export function insertSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  return text.replace(REFERENCE, (whole, name: string) => secrets.get(name) ?? whole);
}
