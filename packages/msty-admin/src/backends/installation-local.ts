import { readFile } from 'node:fs/promises';
import { arch, machine, type as systemName } from 'node:os';
import { basename, join } from 'node:path';
import { expandPath } from '../domain/home-path.ts';
import { portsInMstyConfig } from '../domain/models/services.ts';
import { platformPaths, type Surroundings } from '../domain/platform-paths.ts';
import { appVersion } from './app-version.ts';
import type { FoundFile, InstallationFinder } from './interface.ts';
import { findModelFiles } from './model-files.ts';
import { isMstyRunning } from './running-processes.ts';
import { entriesOf, exists, filesBelow, firstOf, isFolder } from './walk.ts';

interface InstallationOptions extends Surroundings {
  /** The database the user named; then no other is looked for. */
  readonly databasePath?: string | undefined;
}

const CANONICAL = join('File System', '000', 't', '00', '00000000');
/** Msty's settings; the name is "config.json" spelt backwards. */
const SETTINGS = 'Gifnoc.nosj';
const MAX_LISTED = 30;

/** Finds Msty in the folders of this machine. */
export function createInstallationFinder(options: InstallationOptions): InstallationFinder {
  const paths = platformPaths(options);

  async function settings(): Promise<Record<string, unknown>> {
    for (const folder of paths.data) {
      const text = await readFile(join(folder, SETTINGS), 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      try {
        const value: unknown = JSON.parse(text);
        if (value !== null && typeof value === 'object') return value as Record<string, unknown>;
      } catch {
        // Half-written or not JSON: treated as no settings.
      }
    }
    return {};
  }

  async function findApp(): Promise<string | null> {
    const installed = await firstOf(paths.apps);
    if (installed) return installed;
    for (const folder of paths.appFolders) {
      const image = (await entriesOf(folder)).find(({ name }) => /^msty.*\.appimage$/i.test(name));
      if (image) return join(folder, image.name);
    }
    return null;
  }

  return {
    async find() {
      const [app, data, isRunning] = await Promise.all([
        findApp(),
        firstOf(paths.data),
        isMstyRunning(options.platform),
      ]);
      return {
        app,
        data,
        version: app ? await appVersion(app) : null,
        isRunning,
        platform: {
          system: systemName(),
          machine: machine(),
          isAppleSilicon: options.platform === 'darwin' && arch() === 'arm64',
        },
      };
    },

    async findNexus() {
      return { app: await firstOf(paths.nexus.apps), data: await firstOf(paths.nexus.data) };
    },

    async *databaseCandidates() {
      if (options.databasePath) {
        const path = expandPath(options.databasePath, options.home);
        yield { path, isExplicit: true, needsProof: false };
        return;
      }
      for (const folder of paths.data) {
        const canonical = join(folder, CANONICAL);
        if (await exists(canonical)) yield { path: canonical, isExplicit: false, needsProof: false };
      }
      for (const folder of paths.data) {
        for (const { path } of await filesBelow(join(folder, 'File System'), 6)) {
          if (!path.endsWith(CANONICAL)) yield { path, isExplicit: false, needsProof: true };
        }
      }
      for (const folder of paths.data) {
        const legacy = join(folder, 'msty.db');
        if (await exists(legacy)) yield { path: legacy, isExplicit: false, needsProof: false };
      }
      // Usually Chromium's own file, so it comes last and counts only with Msty's tables in it.
      for (const folder of paths.data) {
        const shared = join(folder, 'SharedStorage');
        if (await exists(shared)) yield { path: shared, isExplicit: false, needsProof: true };
      }
    },

    async scan() {
      const folders = [...paths.data, ...paths.further];
      return Promise.all(
        folders.map(async (path) => ({
          path,
          exists: await isFolder(path),
          files: (await filesBelow(path, 6)).filter(mayHoldData).slice(0, MAX_LISTED),
        })),
      );
    },

    async modelFiles() {
      const { localAIService, mlxService } = await settings();
      const configured = [localAIService, mlxService].flatMap((service) => {
        const path = (service as { modelsPath?: unknown } | undefined)?.modelsPath;
        return typeof path === 'string' ? [expandPath(path, options.home)] : [];
      });
      const own = paths.data.flatMap((folder) => [join(folder, 'models'), join(folder, 'models-mlx')]);
      const folders = [...new Set([...configured, ...own, ...paths.models])];
      const present: string[] = [];
      for (const folder of folders) if (await isFolder(folder)) present.push(folder);
      return { folders: present, files: await findModelFiles(present) };
    },

    configuredPorts: async () => portsInMstyConfig(await settings()),
    claudeConfigPath: () => paths.claudeConfig,
    protectedFolders: () => [...paths.data, ...paths.further],
  };
}

function mayHoldData({ path, sizeBytes }: FoundFile): boolean {
  if (sizeBytes <= 100) return false;
  const name = basename(path);
  return /\.(?:db|sqlite3?|ldb|json|nosj)$/i.test(name) || name === 'SharedStorage' || path.includes('File System');
}
