import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Collection, Storage } from '@atoll-mcp/core/storage';
import { type SettingRecord, settingCollection } from './memory-record.ts';

/** Signed, temporary links to a memory's bytes. The key is stored with the lake, so links survive a restart. */
export class Links {
  readonly #storage: Storage;
  readonly #now: () => Date;
  readonly #ttlSeconds: number;
  #secret: Promise<Buffer> | undefined;

  constructor(options: { storage: Storage; now: () => Date; ttlSeconds: number }) {
    this.#storage = options.storage;
    this.#now = options.now;
    this.#ttlSeconds = options.ttlSeconds;
  }

  async sign(baseUrl: string, memoryId: string): Promise<string> {
    const expires = Math.floor(this.#now().getTime() / 1000) + this.#ttlSeconds;
    const signature = await this.#signatureOf(memoryId, expires);
    return new URL(`memories/${memoryId}?expires=${expires}&signature=${signature}`, withSlash(baseUrl)).href;
  }

  async check(
    memoryId: string,
    expires: string | null,
    signature: string | null,
  ): Promise<'ok' | 'expired' | 'forged'> {
    if (!/^\d{1,12}$/.test(expires ?? '') || !signature) return 'forged';
    const expected = Buffer.from(await this.#signatureOf(memoryId, Number(expires)));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
    return Number(expires) * 1000 < this.#now().getTime() ? 'expired' : 'ok';
  }

  async #signatureOf(memoryId: string, expires: number): Promise<string> {
    return createHmac('sha256', await this.#key())
      .update(`${memoryId}\n${expires}`)
      .digest('base64url');
  }

  #key(): Promise<Buffer> {
    this.#secret ??= this.#storage.records
      .transaction(async (collections) => {
        const settings: Collection<SettingRecord> = collections.collection(settingCollection);
        const known = await settings.get('link_key');
        const value = known?.value ?? randomBytes(32).toString('base64');
        if (!known) await settings.put({ id: 'link_key', value });
        return Buffer.from(value, 'base64');
      })
      .catch((error) => {
        this.#secret = undefined;
        throw error;
      });
    return this.#secret;
  }
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
