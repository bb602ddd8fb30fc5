import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parseJson } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { z } from 'zod';
import { replaceFile } from '../commands/replace-file.ts';
import { type PinnedServer, pinnedServerSchema } from './definition.ts';

const VERSION = 1;
const fileSchema = z.object({ version: z.literal(VERSION), servers: z.record(z.string(), pinnedServerSchema) });

/**
 * Where pins are kept: beside the configuration (`atoll.json` → `atoll.lock.json`), to be committed with it. In the data folder
 * if there is no configuration file, or if its folder has no lock file and is not writable.
 */
export function lockPath(configFile: string | undefined, dataDir: string): string {
  const fallback = join(dataDir, 'aggregator', 'atoll.lock.json');
  if (configFile === undefined || !existsSync(configFile)) return fallback;
  const beside = join(dirname(configFile), `${basename(configFile, extname(configFile))}.lock.json`);
  return existsSync(beside) || isWritable(dirname(configFile)) ? beside : fallback;
}

/** Pins by the server's key in the configuration. Read again each time: people, git and other processes change the file. */
export class LockFile {
  readonly #place: () => string;

  constructor(place: () => string) {
    this.#place = place;
  }

  get path(): string {
    return this.#place();
  }

  /** Throws `ConfigError` for a file that is broken or of a newer version, which is never overwritten. */
  read(): Readonly<Record<string, PinnedServer>> {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return {};
      throw unusable(this.path, `cannot be read (${code})`);
    }
    const parsed = parse(text);
    const version = z.object({ version: z.number() }).safeParse(parsed).data?.version;
    if (version !== undefined && version > VERSION) {
      throw unusable(this.path, `was written by a newer version of Atoll (format ${version}); update Atoll`);
    }
    const checked = fileSchema.safeParse(parsed);
    if (checked.success) return checked.data.servers;
    throw unusable(this.path, 'is broken; restore it, or remove it and run "atoll pin" to approve everything');
  }

  /** Sets pins, undefined removes one. Others stay as they are in the file now. */
  update(pins: Readonly<Record<string, PinnedServer | undefined>>): void {
    const all = { ...this.read(), ...pins };
    const servers = Object.fromEntries(
      Object.keys(all)
        .sort()
        .flatMap((key) => (all[key] ? [[key, all[key]]] : [])),
    );
    replaceFile(this.path, `${JSON.stringify({ version: VERSION, servers }, null, 2)}\n`);
  }
}

function unusable(path: string, problem: string): ConfigError {
  return new ConfigError([`${path} ${problem}`]);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
