import { type NameFilter, passes } from '../catalog/naming.ts';
import type { ConfigChange } from '../commands/edit-config.ts';
import type { AggregatorConfig } from '../config.ts';
import { serverOf } from '../login/account.ts';
import { BUILTIN_NAMES } from '../upstreams/builtin.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import type { ConfigStore } from './config-store.ts';
import { builtinStays, hiddenByPattern, restartFailed, serverExists, serverOff, unknownServer } from './errors.ts';
import type { EditableServer } from './schemas.ts';
import { restoreRedacted, shownSettings, toolSwitches } from './server-view.ts';

interface ServerAdminOptions {
  readonly store: ConfigStore;
  readonly config: () => AggregatorConfig;
  readonly supervisors: () => readonly UpstreamSupervisor[];
}

/** Adds, changes, switches and removes servers by editing the configuration; what changed is applied at once. */
export class ServerAdmin {
  readonly #options: ServerAdminOptions;

  constructor(options: ServerAdminOptions) {
    this.#options = options;
  }

  list() {
    const { store, supervisors } = this.#options;
    return {
      revision: store.revision,
      ...(store.path !== undefined && { file: store.path }),
      servers: supervisors().map((supervisor) => {
        const { key, state, since, restarts, upstream, downReason, listProblem } = supervisor;
        const external = this.#external(key);
        const reason = state === 'up' ? listProblem : downReason;
        return {
          key,
          kind: upstream.kind,
          is_builtin: this.#isBuiltin(key) && external === undefined,
          state,
          since: since.toISOString(),
          restarts,
          ...(reason !== undefined && { reason }),
          ...(external && { settings: shownSettings(external) }),
          tools: toolSwitches(supervisor, this.#filterOf(serverOf(key))),
          has_log: upstream.stderrTail !== undefined,
        };
      }),
    };
  }

  add(key: string, settings: EditableServer, revision: string) {
    if (this.#options.supervisors().some((known) => known.key === key)) throw serverExists(key);
    return this.#set(key, settings, revision);
  }

  edit(key: string, settings: EditableServer, revision: string) {
    const present = this.#external(key);
    if (!present) throw this.#isBuiltin(key) ? builtinStays(key) : this.#unknown(key);
    return this.#set(key, settings, revision);
  }

  remove(key: string, revision: string) {
    if (!this.#external(key)) throw this.#isBuiltin(key) ? builtinStays(key) : this.#unknown(key);
    return this.#options.store.edit(revision, [{ path: ['mcpServers', key], value: undefined }]);
  }

  switch(key: string, isOn: boolean, revision: string) {
    this.#supervisor(key);
    return this.#change(serverOf(key), 'disabled', isOn ? undefined : true, revision);
  }

  /** Lists or hides one tool: through `allow` where there is such a list, else through `deny`. */
  switchTool(upstream: string, tool: string, isListed: boolean, revision: string) {
    this.#supervisor(upstream);
    const key = serverOf(upstream);
    const { allow, deny = [] } = this.#filterOf(key);
    const rest = deny.filter((name) => name !== tool);
    if (isListed && !passes(tool, { deny: rest })) throw hiddenByPattern(tool);
    if (isListed && rest.length < deny.length) {
      return this.#change(key, 'deny', rest.length > 0 ? rest : undefined, revision);
    }
    if (isListed && allow) return this.#change(key, 'allow', [...new Set([...allow, tool])], revision);
    if (!isListed && allow?.includes(tool)) {
      return this.#change(
        key,
        'allow',
        allow.filter((name) => name !== tool),
        revision,
      );
    }
    return this.#change(key, 'deny', isListed ? deny : [...deny, tool], revision);
  }

  /** Whether new and changed tools of a server wait for an approval before they are listed. */
  holdBack(key: string, isOn: boolean, revision: string) {
    if (!this.#external(key)) throw this.#isBuiltin(key) ? builtinStays(key) : this.#unknown(key);
    const wanted = isOn ? 'enforce' : 'warn';
    return this.#change(key, 'pinning', wanted === this.#options.config().pinning ? undefined : wanted, revision);
  }

  async restart(key: string) {
    const supervisor = this.#supervisor(key);
    if (supervisor.state === 'disabled') throw serverOff(key);
    await supervisor.restart().catch(() => {
      throw restartFailed(key, supervisor.downReason ?? 'its log says why');
    });
    return { key, state: supervisor.state };
  }

  log(key: string, filter: string, limit: number) {
    const lines = this.#supervisor(key).upstream.stderrTail ?? [];
    const wanted = filter.toLowerCase();
    return { key, lines: lines.filter((line) => line.toLowerCase().includes(wanted)).slice(-limit) };
  }

  #set(key: string, settings: EditableServer, revision: string) {
    const path = ['mcpServers', key];
    const present = this.#external(key);
    const wanted = restoreRedacted(settings, present);
    if (!present) return this.#options.store.edit(revision, [{ path, value: compact(wanted) }]);
    // Field by field, so that comments and fields the page does not know stay.
    const changes = FIELDS.flatMap((field): ConfigChange[] => {
      const [now, next] = [present[field], emptyToUndefined(wanted[field])];
      return JSON.stringify(emptyToUndefined(now)) === JSON.stringify(next)
        ? []
        : [{ path: [...path, field], value: next }];
    });
    return this.#options.store.edit(revision, changes);
  }

  #change(key: string, field: string, value: unknown, revision: string) {
    const section = this.#external(key) ? 'mcpServers' : 'servers';
    const { servers } = this.#options.config();
    const path = [section, key, field];
    if (section === 'mcpServers' || servers) return this.#options.store.edit(revision, [{ path, value }]);
    // Without the section all built-in servers run; with it, only those in it.
    const all = Object.fromEntries(BUILTIN_NAMES.map((name) => [name, name === key ? { [field]: value } : {}]));
    return this.#options.store.edit(revision, [{ path: ['servers'], value: all }]);
  }

  /** Undefined for built-in servers, and for a server with another account, which is changed under its own key. */
  #external(key: string) {
    const { mcpServers } = this.#options.config();
    return Object.hasOwn(mcpServers, key) ? mcpServers[key] : undefined;
  }

  #filterOf(key: string): NameFilter {
    const { allow, deny } = this.#external(key) ?? this.#options.config().servers?.[key] ?? {};
    return { allow, deny };
  }

  #supervisor(key: string): UpstreamSupervisor {
    const found = this.#options.supervisors().find((known) => known.key === key);
    if (!found) throw this.#unknown(key);
    return found;
  }

  #unknown(key: string) {
    return unknownServer(
      key,
      this.#options.supervisors().map((known) => known.key),
    );
  }

  #isBuiltin(key: string): boolean {
    return BUILTIN_NAMES.some((name) => name === key);
  }
}

const FIELDS = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'openapi', 'baseUrl', 'auth', 'prefix'] as const;

function compact(settings: EditableServer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => emptyToUndefined(value) !== undefined));
}

function emptyToUndefined(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
}
