import { homedir } from 'node:os';
import { ConfigError } from '@atoll-mcp/server';
import { CLIENT_NAMES, clientPlace } from '../commands/clients/clients.ts';
import { type InstallOptions, isInstalled, planInstall, writeInstall } from '../commands/clients/install-client.ts';
import { clientNotWritten, unknownClient } from './errors.ts';

/** MCP clients on this machine, and writing Atoll into their configuration. */
export class ClientAdmin {
  readonly #install: InstallOptions | undefined;

  /** Without install options Atoll is embedded in another program, which no client can start. */
  constructor(install: InstallOptions | undefined) {
    this.#install = install;
  }

  list() {
    const install = this.#install;
    if (!install) return { clients: [] };
    const home = install.env.HOME ?? install.env.USERPROFILE ?? homedir();
    const clients = CLIENT_NAMES.map((name) => {
      const place = clientPlace(name, install.env);
      const { before, after } = planInstall(name, install);
      const { title, path } = place;
      return {
        name,
        title,
        path,
        is_installed: isInstalled(place, home),
        has_atoll: before !== '' && before === after,
      };
    });
    return { clients: clients.sort((a, b) => Number(b.is_installed) - Number(a.is_installed)) };
  }

  connect(wanted: string) {
    const name = CLIENT_NAMES.find((known) => known === wanted);
    if (!name || !this.#install) throw unknownClient(wanted);
    const plan = planInstall(name, this.#install);
    const { title, path } = plan.place;
    if (plan.after === undefined) throw clientNotWritten(path, 'it is not JSON that can be edited');
    if (plan.after === plan.before) return { title, path, changed: false };
    try {
      const written = writeInstall(plan);
      if (!written) throw clientNotWritten(path, 'it was changed meanwhile');
      return { title, path, changed: true, ...written };
    } catch (error) {
      if (error instanceof ConfigError) throw clientNotWritten(path, error.problems.join('; '));
      throw error;
    }
  }
}
