import { ToolError } from '@atoll-mcp/core';
import type { Installation } from '../backends/interface.ts';
import { showPath } from '../domain/home-path.ts';
import { schemaOf } from '../domain/studio/table-map.ts';
import type { AvailableModels } from './available-models.ts';
import type { ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';

const MB = 1024 * 1024;
/** The version of the documented API that the tools follow. */
const API_VERSION = '6.5.0';
const LARGE_DATABASE_MB = 500;
/** The check reads the whole file; for larger ones it would take too long. */
const MAX_CHECKED_BYTES = 512 * MB;

/** Where Msty is installed, and its health. */
export class InstallationArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;
  readonly #models: AvailableModels;

  constructor(options: ServiceOptions, studio: Studio, models: AvailableModels) {
    this.#options = options;
    this.#studio = studio;
    this.#models = models;
  }

  async detect() {
    const [found, database] = await Promise.all([this.#options.backends.installation.find(), this.#studio.locate()]);
    const { system, machine, isAppleSilicon } = found.platform;
    return {
      installed: isInstalled(found),
      version: found.version,
      isRunning: found.isRunning,
      paths: { app: this.#shown(found.app), data: this.#shown(found.data), database: this.#shown(database) },
      platform: { system, machine, isAppleSilicon },
    };
  }

  async health(signal: AbortSignal) {
    const [found, database, services] = await Promise.all([
      this.#options.backends.installation.find(),
      this.#databaseStatus(),
      this.#models.look(signal),
    ]);
    const isUp = services.some(({ available }) => available);
    const isLarge = (database.sizeMb ?? 0) > LARGE_DATABASE_MB;
    // A database that was configured by its path is checked even without the app.
    const isMissing = !isInstalled(found) && !database.exists;
    const advise = (applies: boolean, text: string) => (applies ? [text] : []);
    const recommendations = [
      ...advise(isMissing, 'Msty Studio was not found; install it from https://msty.ai'),
      ...advise(
        !isInstalled(found) && database.exists,
        'The app of Msty Studio is not in its usual place; only the configured database and the services were checked',
      ),
      ...advise(isInstalled(found) && !database.exists, 'No workspace database was found; start Msty Studio once'),
      ...advise(database.integrity === 'damaged', 'The database is damaged; restore it from a backup of Msty Studio'),
      ...advise(isLarge, `The database is larger than ${LARGE_DATABASE_MB} MB; archive or delete old conversations`),
      ...advise(!isUp, 'No local AI service is running; start one in Msty Studio'),
      ...services.flatMap(({ problem }) =>
        problem && problem.code !== 'SERVICE_UNAVAILABLE' ? [problem.message] : [],
      ),
    ];
    const isCritical = isMissing || database.integrity === 'damaged';
    return {
      overallStatus: isCritical ? 'critical' : !database.exists || !isUp || isLarge ? 'warning' : 'healthy',
      databaseStatus: database,
      serviceStatus: Object.fromEntries(services.map(({ name, available, port }) => [name, { available, port }])),
      recommendations,
    } as const;
  }

  async serverStatus() {
    const { name, version, tools } = this.#options.about;
    const [found, stats] = await Promise.all([
      this.#options.backends.installation.find(),
      this.#options.backends.store.cacheStats(this.#options.now()),
    ]);
    return {
      server: { name, version, apiVersion: API_VERSION },
      toolCount: tools.length,
      tools: [...tools],
      mstyStatus: { installed: isInstalled(found), version: found.version, isRunning: found.isRunning },
      cacheStats: { hits: stats.hits, misses: stats.misses, totalEntries: stats.entries },
    };
  }

  async scan() {
    const { installation, database } = this.#options.backends;
    const [folders, chosen] = await Promise.all([installation.scan(), this.#studio.locate()]);
    const databases: { path: string; kind: string; sizeMb: number; chosen: boolean }[] = [];
    for (const { path, sizeBytes } of folders.flatMap(({ files }) => files)) {
      if (!(await database.isSqlite(path))) continue;
      const kind = await database
        .read(path, (view) => schemaOf(view.tables()))
        .then(
          ({ result }) => result,
          () => 'unreadable',
        );
      databases.push({ path: this.#shown(path), kind, sizeMb: megabytes(sizeBytes), chosen: path === chosen });
    }
    return {
      locations: folders.map(({ path, exists, files }) => ({
        path: this.#shown(path),
        exists,
        files: files.map((file) => ({ path: this.#shown(file.path), sizeBytes: file.sizeBytes })),
      })),
      databases,
      database: this.#shown(chosen),
      recommendations: scanAdvice(databases, chosen !== null),
    };
  }

  async #databaseStatus() {
    const path = await this.#studio.locate();
    if (path === null) return { exists: false, sizeMb: null, integrity: null };
    const bytes = await this.#options.backends.database.sizeBytes(path);
    return {
      exists: true,
      sizeMb: bytes === null ? null : megabytes(bytes),
      integrity: bytes === null || bytes > MAX_CHECKED_BYTES ? ('unknown' as const) : await this.#integrity(),
    };
  }

  async #integrity(): Promise<'ok' | 'damaged' | 'unknown'> {
    try {
      const { result } = await this.#studio.read(({ view }) => view.all('PRAGMA quick_check(1)'));
      return Object.values(result[0] ?? {})[0] === 'ok' ? 'ok' : 'damaged';
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return error.details?.isDamaged ? 'damaged' : 'unknown';
    }
  }

  #shown<Path extends string | null>(path: Path): Path extends null ? string | null : string;
  #shown(path: string | null): string | null {
    return path === null ? null : showPath(path, this.#options.home);
  }
}

/** Linux has no fixed place for programs, so there the data folder decides. */
function isInstalled({ app, data, platform }: Installation): boolean {
  return app !== null || (platform.system === 'Linux' && data !== null);
}

function megabytes(bytes: number): number {
  return Math.round((bytes / MB) * 100) / 100;
}

function scanAdvice(databases: readonly { kind: string }[], isFound: boolean): string[] {
  if (isFound) return [];
  return [
    databases.some(({ kind }) => kind === 'chromium_shared_storage')
      ? "Only Chromium's own SharedStorage was found, which holds no chats; start Msty Studio once to create its database"
      : 'No database was found; start Msty Studio once, or set MSTY_DATABASE_PATH',
  ];
}
