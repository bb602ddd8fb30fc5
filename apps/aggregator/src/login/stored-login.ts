import { parseJson } from '@atoll-mcp/core';
import { z } from 'zod';
import type { SecretStore } from '../secrets/secret-store.ts';

const json = z.record(z.string(), z.unknown());
const savedSchema = z.object({ client: json.optional(), tokens: json.optional() });

type Saved = z.output<typeof savedSchema>;

/** The stored login of one server and account: client registration and tokens, in the secret store. */
export class StoredLogin {
  readonly #store: SecretStore;
  readonly #name: string;

  constructor(store: SecretStore, key: string) {
    this.#store = store;
    this.#name = `login.${key}`;
  }

  /** Read each time: `atoll login` and other processes change it. */
  async read(): Promise<Saved> {
    const text = await this.#store.get(this.#name);
    if (text === undefined) return {};
    try {
      return savedSchema.parse(parseJson(text));
    } catch {
      return {};
    }
  }

  async write(change: Saved): Promise<void> {
    await this.#store.set(this.#name, JSON.stringify({ ...(await this.read()), ...change }));
  }

  remove(): Promise<boolean> {
    return this.#store.remove(this.#name);
  }
}
