import type { Activity, ActivityFilter } from '../activity/activity.ts';
import type { InstallOptions } from '../commands/clients/install-client.ts';
import { ClientAdmin } from './client-admin.ts';
import type { ConfigFile } from './config-store.ts';
import { ConfigStore } from './config-store.ts';
import { DefinitionAdmin } from './definition-admin.ts';
import { callGone } from './errors.ts';
import { ImportAdmin } from './import-admin.ts';
import { ServerAdmin } from './server-admin.ts';
import { SettingsAdmin, type SettingsAdminOptions } from './settings-admin.ts';
import { SetupAdmin } from './setup-admin.ts';

/** What the running program can change outside itself; an embedded Atoll has neither. */
export interface AdminHost {
  readonly configFile?: ConfigFile | undefined;
  readonly install?: InstallOptions | undefined;
  /** The folder that Atoll was started in. */
  readonly cwd?: string | undefined;
}

export interface AdminOptions extends Omit<SettingsAdminOptions, 'store'> {
  readonly activity: Activity;
  readonly env: NodeJS.ProcessEnv;
  readonly host: AdminHost;
}

/** What people who administer Atoll can see and change. */
export class AdminService {
  readonly servers: ServerAdmin;
  readonly clients: ClientAdmin;
  readonly imports: ImportAdmin;
  readonly definitions: DefinitionAdmin;
  readonly settings: SettingsAdmin;
  readonly setup: SetupAdmin;
  readonly #activity: Activity;

  constructor({ activity, host, ...options }: AdminOptions) {
    const store = new ConfigStore(host.configFile);
    this.#activity = activity;
    this.servers = new ServerAdmin({ store, ...options });
    this.settings = new SettingsAdmin({ store, ...options });
    this.definitions = new DefinitionAdmin(options.supervisors);
    this.setup = new SetupAdmin(options);
    this.clients = new ClientAdmin(host.install);
    const { config } = options;
    this.imports = new ImportAdmin({ store, config, clientEnv: host.install?.env, cwd: host.cwd });
  }

  listCalls(filter: ActivityFilter) {
    return this.#activity.list(filter);
  }

  findCall(id: number) {
    const call = this.#activity.find(id);
    if (!call) throw callGone(id);
    return call;
  }

  callSeries(minutes: number, stepSeconds: number) {
    return { step_seconds: stepSeconds, servers: this.#activity.series(minutes, stepSeconds) };
  }
}
