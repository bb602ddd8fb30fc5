import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
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

type Servers = Readonly<Record<string, PinnedServer>>;

/** A file changed less than this ago may change again without its times showing it. */
const CLOCK_STEP_MS = 50;

/** Pins of servers that start together are written when none has been added for this long, or after the longest delay. */
const QUIET_MS = 100;
const MAX_DELAY_MS = 1_000;

interface AddedPin {
  readonly pin: PinnedServer;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Pins by the server's key in the configuration. People, git and other processes change the file, so each reading looks at it; its
 * text is parsed only when it changed, as many servers that start together ask for their pins one after another.
 */
export class LockFile {
  readonly #place: () => string;
  #known: { readonly state: string; readonly text: string; readonly servers: Servers } | undefined;
  /** Not written yet. */
  readonly #added = new Map<string, AddedPin>();
  #timer: NodeJS.Timeout | undefined;
  #writeBy = 0;

  constructor(place: () => string) {
    this.#place = place;
  }

  get path(): string {
    return this.#place();
  }

  /** Throws `ConfigError` for a file that is broken or of a newer version, which is never overwritten. */
  read(): Servers {
    const written = this.#readFile();
    return this.#added.size === 0 ? written : { ...this.#pinsAdded(), ...written };
  }

  /**
   * Pins a server at its first use. The first of several is written at once, so that a file that cannot be written is known before
   * anything is listed; those that follow shortly after are written together.
   */
  add(key: string, pin: PinnedServer, onFailure: (error: unknown) => void): void {
    if (this.#timer) this.#added.set(key, { pin, onFailure });
    else {
      this.update({ [key]: pin });
      this.#writeBy = Date.now() + MAX_DELAY_MS;
    }
    clearTimeout(this.#timer);
    const delay = Math.min(QUIET_MS, Math.max(0, this.#writeBy - Date.now()));
    this.#timer = setTimeout(() => this.flush(), delay).unref();
  }

  /** Writes what was added. A pin that somebody else wrote meanwhile stays. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#added.size === 0) return;
    const pins = this.#pinsAdded();
    const added = [...this.#added.values()];
    this.#added.clear();
    try {
      this.update({ ...pins, ...this.#readFile() });
    } catch (error) {
      for (const { onFailure } of added) onFailure(error);
    }
  }

  #pinsAdded(): Servers {
    return Object.fromEntries([...this.#added].map(([key, { pin }]) => [key, pin]));
  }

  #readFile(): Servers {
    try {
      const state = stateOf(this.path);
      if (this.#known && state !== '' && state === this.#known.state) return this.#known.servers;
      const text = readFileSync(this.path, 'utf8');
      const servers = text === this.#known?.text ? this.#known.servers : this.#parse(text);
      this.#known = { state, text, servers };
      return servers;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return {};
      throw unusable(this.path, `cannot be read (${code})`);
    }
  }

  #parse(text: string): Servers {
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
    const all = { ...this.#readFile(), ...pins };
    const servers = Object.fromEntries(
      Object.keys(all)
        .sort()
        .flatMap((key) => (all[key] ? [[key, all[key]]] : [])),
    );
    const text = `${JSON.stringify({ version: VERSION, servers }, null, 2)}\n`;
    replaceFile(this.path, text);
    this.#known = { state: '', text, servers };
  }
}

/** Tells two states of a file apart; empty while it cannot. */
function stateOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  if (Date.now() - Number(ctimeNs / 1_000_000n) < CLOCK_STEP_MS) return '';
  return [dev, ino, size, mtimeNs, ctimeNs].join();
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
