import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '@atoll-mcp/core';
import { z } from 'zod';
import type { Lists } from './lists.ts';

/** Every listed item has its identifying field. */
const itemsBy = (key: string) =>
  z.array(
    z.record(z.string(), z.unknown()).refine((item) => Object.hasOwn(item, key) && typeof item[key] === 'string'),
  );
const storedSchema = z.object({
  tools: itemsBy('name'),
  prompts: itemsBy('name'),
  resources: itemsBy('uri'),
  templates: itemsBy('uriTemplate'),
});

/** Cached lists, so that a client sees tools before their upstreams have started. */
export interface ListStore {
  load(key: string, identity: unknown): Promise<Lists | undefined>;
  save(key: string, identity: unknown, lists: Lists): Promise<void>;
}

/** One file per upstream and definition: a different command or URL has different lists. */
export function fileListStore(folder: string): ListStore {
  const pathOf = (key: string, identity: unknown) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([key, identity]))
      .digest('hex')
      .slice(0, 16);
    return join(folder, `${key.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}-${hash}.json`);
  };
  return {
    async load(key, identity) {
      try {
        return storedSchema.parse(parseJson(await readFile(pathOf(key, identity), 'utf8')));
      } catch {
        return undefined;
      }
    },
    async save(key, identity, lists) {
      const path = pathOf(key, identity);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.${process.pid}`, JSON.stringify(lists), { mode: 0o600 });
      await rename(`${path}.${process.pid}`, path);
    },
  };
}

export const noListStore: ListStore = { load: async () => undefined, save: async () => {} };
