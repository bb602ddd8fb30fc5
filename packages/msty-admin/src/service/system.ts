import { z } from 'zod';
import type { Template } from '../backends/interface.ts';
import { redact } from '../domain/secrets/redact.ts';
import { openedRow } from '../domain/studio/cell.ts';
import { placeholdersIn } from '../domain/template.ts';
import { invalidContent, missingParameter } from '../errors.ts';
import type { ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';
import { parseJson, type UserFiles } from './user-files.ts';

const GB = 1024 ** 3;
const MAX_ROWS = 10_000;
const FORMAT = 'msty-admin-backup';

const backupSchema = z.object({
  format: z.literal(FORMAT).optional(),
  templates: z
    .array(
      z.object({
        name: z.string().min(1),
        template: z.string().min(1),
        description: z.string().default(''),
        variables: z.array(z.string()).optional(),
        preferred_model: z.string().nullish(),
        category: z.string().default('general'),
        use_count: z.int().min(0).default(0),
        created_at: z.string().optional(),
      }),
    )
    .default([]),
});

/** Backups of the configuration, and the resources of this machine. */
export class SystemArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;
  readonly #files: UserFiles;

  constructor(options: ServiceOptions, studio: Studio, files: UserFiles) {
    this.#options = options;
    this.#studio = studio;
    this.#files = files;
  }

  /** Secrets are redacted: a backup may be copied to other machines. What this database has no table for is null. */
  async backup(request: {
    outputPath: string | undefined;
    include: { personas: boolean; prompts: boolean; templates: boolean; tools: boolean };
  }) {
    const { include } = request;
    const kinds = (['personas', 'prompts', 'tools'] as const).filter((kind) => include[kind]);
    const studio = kinds.length > 0 ? await this.#studioRows(kinds) : {};
    const templates = include.templates ? await this.#options.backends.store.templates() : [];
    const parts: Record<string, unknown[] | null> = {
      ...studio,
      ...(include.templates && { templates: redact(templates.map(templateInBackup)) }),
    };
    const backup = { format: FORMAT, version: 1, created_at: this.#options.now().toISOString(), ...parts };
    const counts = Object.fromEntries(
      Object.entries(parts).map(([name, rows]) => [name, rows === null ? null : rows.length]),
    );
    if (request.outputPath === undefined) return { counts, outputPath: null, backup };
    return { counts, outputPath: await this.#files.write(request.outputPath, `${JSON.stringify(backup, null, 2)}\n`) };
  }

  /** Restores this server's own templates. Msty's data is never written. */
  async restore(request: {
    backupPath: string | undefined;
    backupJson: string | undefined;
    templates: boolean;
    dryRun: boolean;
  }) {
    const { store } = this.#options.backends;
    const given = request.templates ? (await this.#backupIn(request)).templates : [];
    if (!request.templates) await this.#backupIn(request);
    const now = this.#options.now().toISOString();
    const known = new Set((await store.templates()).map(({ name }) => name));
    const templates = given.map(
      (one): Template => ({
        id: one.name,
        name: one.name,
        template: one.template,
        description: one.description,
        variables: one.variables ?? placeholdersIn(one.template),
        preferredModel: one.preferred_model ?? null,
        category: one.category,
        useCount: one.use_count,
        createdAt: one.created_at ?? now,
        updatedAt: now,
      }),
    );
    if (!request.dryRun && templates.length > 0) await store.putTemplates(templates);
    const names = templates.map(({ name }) => name);
    return {
      dryRun: request.dryRun,
      templatesToRestore: names,
      replaces: names.filter((name) => known.has(name)),
      restored: request.dryRun ? 0 : templates.length,
      notRestored: ['personas', 'prompts', 'tools'],
    };
  }

  async resources() {
    const { backends } = this.#options;
    const [system, found] = await Promise.all([backends.system.resources(), backends.installation.find()]);
    const available = system.memoryAvailableBytes;
    const free = system.diskFreeBytes;
    return {
      cpuCount: system.cpuCount,
      cpuModel: system.cpuModel,
      loadAverage: system.loadAverage.map((load) => Math.round(load * 100) / 100),
      memory: {
        totalGb: gigabytes(system.memoryTotalBytes),
        availableGb: gigabytes(available),
      },
      disk: {
        totalGb: system.diskTotalBytes === null ? null : gigabytes(system.diskTotalBytes),
        freeGb: free === null ? null : gigabytes(free),
      },
      mstyRunning: found.isRunning,
      recommendations: [
        ...(available < 4 * GB ? ['Less than 4 GB of memory are free; use a small model or close programs'] : []),
        ...(free !== null && free < 10 * GB ? ['Less than 10 GB of disk are free; remove models you do not use'] : []),
      ],
    };
  }

  async #studioRows(kinds: readonly ('personas' | 'prompts' | 'tools')[]) {
    const { result } = await this.#studio.read((studio) =>
      kinds.map((kind) => {
        const rows = studio.findAll(kind).length > 0 ? studio.rows(kind, MAX_ROWS).map(openedRow) : null;
        return [kind, rows] as const;
      }),
    );
    return Object.fromEntries(result);
  }

  async #backupIn(request: { backupPath: string | undefined; backupJson: string | undefined }) {
    const text =
      request.backupJson ?? (request.backupPath === undefined ? undefined : await this.#files.read(request.backupPath));
    if (text === undefined) {
      throw missingParameter(
        'Neither backup_path nor backup_json is given',
        'Give the file of backup_configuration, or its text',
      );
    }
    const parsed = backupSchema.safeParse(parseJson(text, 'The backup'));
    if (!parsed.success) {
      const places = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').slice(0, 5);
      throw invalidContent(
        `This is not a backup of this server: see ${places.join(', ')}`,
        'Use a backup made by backup_configuration',
      );
    }
    return parsed.data;
  }
}

/** The names in a backup file. */
function templateInBackup(template: Template) {
  return {
    name: template.name,
    template: template.template,
    description: template.description,
    variables: template.variables,
    preferred_model: template.preferredModel,
    category: template.category,
    use_count: template.useCount,
    created_at: template.createdAt,
    updated_at: template.updatedAt,
  };
}

function gigabytes(bytes: number): number {
  return Math.round((bytes / GB) * 100) / 100;
}
