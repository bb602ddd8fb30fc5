import { existsSync, readFileSync } from 'node:fs';
import { parseJson } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { z } from 'zod';
import { replaceFile } from '../commands/replace-file.ts';
import { type Keychain, loadKeychain } from './keychain.ts';

const fileSchema = z.record(z.string(), z.string());

type SecretPlace = 'keychain' | 'file';

/** Secrets by name: in the system's keychain, or in a file that only the user can read where there is none. */
export class SecretStore {
  readonly file: string;
  readonly #load: () => Promise<Keychain | undefined>;
  #keychain: Promise<Keychain | undefined> | undefined;

  constructor(
    file: string,
    options: { readonly keychain: boolean; readonly load?: () => Promise<Keychain | undefined> },
  ) {
    this.file = file;
    this.#load = options.keychain ? (options.load ?? loadKeychain) : async () => undefined;
  }

  /** Undefined if there is no such secret. Throws `ConfigError` if the keychain cannot be read, for example while it is locked. */
  async get(name: string): Promise<string | undefined> {
    const inFile = own(this.#read(), name);
    if (inFile !== undefined) return inFile;
    const keychain = await this.#open();
    try {
      return keychain?.get(name);
    } catch {
      throw new ConfigError([
        `the keychain could not be read for the secret "${name}"; unlock it, or run "atoll secret set ${name}"`,
      ]);
    }
  }

  async set(name: string, value: string): Promise<SecretPlace> {
    const keychain = await this.#open();
    const place = keychain && succeeds(() => keychain.set(name, value)) ? 'keychain' : 'file';
    const all = this.#read();
    const { [name]: _, ...others } = all;
    // A value in the file would override the keychain.
    if (place === 'file') this.#write({ ...others, [name]: value });
    else if (own(all, name) !== undefined) this.#write(others);
    return place;
  }

  /** Returns whether it existed. */
  async remove(name: string): Promise<boolean> {
    const all = this.#read();
    const old = own(all, name);
    const { [name]: _, ...others } = all;
    if (old !== undefined) this.#write(others);
    const keychain = await this.#open();
    let wasThere = false;
    succeeds(() => {
      wasThere = keychain?.remove(name) === true;
    });
    return wasThere || old !== undefined;
  }

  #open(): Promise<Keychain | undefined> {
    this.#keychain ??= this.#load();
    return this.#keychain;
  }

  #read(): Readonly<Record<string, string>> {
    if (!existsSync(this.file)) return {};
    try {
      return fileSchema.parse(parseJson(readFileSync(this.file, 'utf8')));
    } catch {
      throw new ConfigError([`${this.file} cannot be read; restore it, or remove it and set the secrets again`]);
    }
  }

  #write(secrets: Readonly<Record<string, string>>): void {
    replaceFile(this.file, `${JSON.stringify(secrets, null, 2)}\n`);
  }
}

/** Own properties only, not inherited ones. */
const own = (secrets: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(secrets, name) ? secrets[name] : undefined;

function succeeds(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
