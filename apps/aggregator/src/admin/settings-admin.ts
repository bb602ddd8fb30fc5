import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../access/redact.ts';
import { checkFolder, checkNode, checkRuntimes, checkUpstream } from '../commands/findings.ts';
import type { AggregatorConfig } from '../config.ts';
import { VERSION } from '../contract.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import type { ConfigStore } from './config-store.ts';
import { tokenExists, unknownViews } from './errors.ts';
import { folderSizes } from './folder-sizes.ts';

export interface SettingsAdminOptions {
  readonly store: ConfigStore;
  readonly config: () => AggregatorConfig;
  readonly supervisors: () => readonly UpstreamSupervisor[];
  /** Whether callers need a token since the start. */
  readonly isAuthenticated: boolean;
}

interface WantedToken {
  readonly name: string;
  readonly admin: boolean;
  readonly views?: readonly string[] | undefined;
  readonly revision: string;
}

/** Settings in use, who may use Atoll, and whether everything works. */
export class SettingsAdmin {
  readonly #options: SettingsAdminOptions;

  constructor(options: SettingsAdminOptions) {
    this.#options = options;
  }

  async show() {
    const { store, isAuthenticated } = this.#options;
    const { servers, mcpServers, views, tokens, authToken, storage, blobStorage, oauth, ...rest } =
      this.#options.config();
    return {
      version: VERSION,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      uptime_seconds: Math.round(process.uptime()),
      revision: store.revision,
      ...(store.path !== undefined && { file: store.path }),
      data_dir: rest.dataDir,
      folders: await folderSizes(rest.dataDir),
      settings: redact(rest) as Record<string, unknown>,
      views: Object.entries(views).map(([name, view]) => ({
        name,
        ...(view.servers && { servers: view.servers }),
        mode: view.mode ?? rest.mode,
      })),
      tokens: tokens.map(({ name, admin, views: granted }) => ({ name, admin, ...(granted && { views: granted }) })),
      is_authenticated: isAuthenticated,
    };
  }

  async examine() {
    const { dataDir, builtin } = this.#options.config();
    const found = [
      checkNode(),
      checkFolder(dataDir),
      ...(await Promise.all(this.#options.supervisors().map(checkUpstream))),
      ...(builtin ? await checkRuntimes() : []),
    ];
    return {
      ok: found.every(({ isFine }) => isFine),
      findings: found.map(({ what, isFine, detail, repair }) => ({
        what,
        is_fine: isFine,
        ...(detail !== undefined && { detail }),
        ...(repair !== undefined && { repair }),
      })),
    };
  }

  async createToken({ name, admin, views, revision }: WantedToken) {
    const { store, isAuthenticated } = this.#options;
    const { tokens, dataDir, views: known } = this.#options.config();
    const unknown = (views ?? []).filter((view) => !Object.hasOwn(known, view));
    if (unknown.length > 0) throw unknownViews(unknown, Object.keys(known));
    if (tokens.some((known) => known.name === name)) throw tokenExists(name);
    const token = randomBytes(32).toString('base64url');
    const folder = join(dataDir, 'aggregator', 'tokens');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const tokenFile = join(folder, `${name.replace(/\W+/g, '-')}-${randomBytes(4).toString('hex')}`);
    writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
    const entry = { name, tokenFile, ...(admin && { admin }), ...(views && { views }) };
    try {
      const edited = await store.edit(revision, [{ path: ['tokens'], value: [...tokens.map(asWritten), entry] }]);
      return { token, ...edited, needs_restart: !isAuthenticated };
    } catch (error) {
      rmSync(tokenFile);
      throw error;
    }
  }
}

/** Without the defaults that reading the file has added. */
function asWritten({ admin, ...token }: AggregatorConfig['tokens'][number]) {
  return { ...token, ...(admin && { admin }) };
}
