import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { ConfigError } from '@atoll-mcp/server';
import { type ConfigChange, changedText } from '../commands/edit-config.ts';
import { replaceFile } from '../commands/replace-file.ts';
import { configChanged, configRejected, noConfigFile } from './errors.ts';

/** The file that a running program is configured by. */
export interface ConfigFile {
  readonly path: string;
  /** Applies what is in the file now; throws `ConfigError` if it cannot be. */
  reload(): Promise<void>;
}

/** Edits the configuration file, unless it was changed since the editor read it. */
export class ConfigStore {
  readonly #file: ConfigFile | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: ConfigFile | undefined) {
    this.#file = file;
  }

  get path(): string | undefined {
    return this.#file?.path;
  }

  /** Changes whenever the file does. */
  get revision(): string {
    return this.#file ? revisionOf(this.#read(this.#file)) : '';
  }

  /** Writes and applies changes, one edit after the other; an edit that cannot be applied is reverted. */
  edit(revision: string, changes: readonly ConfigChange[]): Promise<{ revision: string }> {
    const edited = this.#last.then(() => this.#edit(revision, changes));
    this.#last = edited.catch(() => {});
    return edited;
  }

  async #edit(revision: string, changes: readonly ConfigChange[]): Promise<{ revision: string }> {
    const file = this.#file;
    if (!file) throw noConfigFile();
    const existed = existsSync(file.path);
    const before = this.#read(file);
    if (revisionOf(before) !== revision) throw configChanged();
    const after = changedText(before, changes);
    try {
      replaceFile(file.path, after);
      await file.reload();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (this.#read(file) === after) replaceFile(file.path, existed ? before : '{}\n');
      throw configRejected(error.problems);
    }
    return { revision: revisionOf(after) };
  }

  #read({ path }: ConfigFile): string {
    return existsSync(path) ? readFileSync(path, 'utf8') : '{}\n';
  }
}

function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
