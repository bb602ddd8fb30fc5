import { dirname } from 'node:path';
import { CLIENT_NAMES } from '../commands/clients/clients.ts';
import { importable, readClients } from '../commands/clients/importable.ts';
import { type AggregatorConfig, upstreamSchema } from '../config.ts';
import type { ConfigStore } from './config-store.ts';
import { notImportable } from './errors.ts';
import { shownSettings } from './server-view.ts';

interface ImportAdminOptions {
  readonly store: ConfigStore;
  readonly config: () => AggregatorConfig;
  /** Absent where Atoll is embedded in another program. */
  readonly clientEnv: NodeJS.ProcessEnv | undefined;
  /** The project whose files are read beside the user's own; the folder of the configuration unless given. */
  readonly cwd?: string | undefined;
}

/** Imports servers from the configurations of MCP clients; the clients keep their own entries. */
export class ImportAdmin {
  readonly #options: ImportAdminOptions;

  constructor(options: ImportAdminOptions) {
    this.#options = options;
  }

  list() {
    const { found, unreadable } = this.#read();
    return {
      servers: found.map((server) => ({
        name: server.name,
        file: server.file,
        secrets: [...server.secrets],
        ...('settings' in server
          ? { settings: shownSettings(upstreamSchema.parse(server.settings)) }
          : { left_out: server.leftOut }),
      })),
      unreadable: [...unreadable],
    };
  }

  take(names: readonly string[], revision: string) {
    const { found } = this.#read();
    const changes = names.map((name) => {
      const server = found.find((known) => known.name === name && 'settings' in known);
      if (!server || !('settings' in server)) throw notImportable(name);
      return { path: ['mcpServers', name], value: server.settings };
    });
    return this.#options.store.edit(revision, changes);
  }

  #read() {
    const { clientEnv, store, config } = this.#options;
    if (!clientEnv || store.path === undefined) return { found: [], unreadable: [] };
    const { found, unreadable } = readClients(CLIENT_NAMES, clientEnv, this.#options.cwd ?? dirname(store.path));
    return { found: importable(found, config()), unreadable };
  }
}
