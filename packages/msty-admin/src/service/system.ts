import { z } from 'zod';
import type { Template } from '../backends/interface.ts';
import { openedRow } from '../domain/cell.ts';
import { redact } from '../domain/redact.ts';
import { placeholdersIn } from '../domain/template.ts';
import { invalidContent, missingParameter } from '../errors.ts';
import type { ServiceOptions } from './options.ts';
import { type NamedFiles, parseJson } from './output-path.ts';
import type { Studio } from './studio.ts';
import { shownTemplate } from './templates.ts';

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

/** Backups of what can be configured, and the machine itself. */
export class SystemArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;
  readonly #files: NamedFiles;

  constructor(options: ServiceOptions, studio: Studio, files: NamedFiles) {
    this.#options = options;
    this.#studio = studio;
    this.#files = files;
  }

  /** Secrets are taken out; a backup may travel. */
  async backup(request: {
    outputPath: string | undefined;
    include: { personas: boolean; prompts: boolean; templates: boolean; tools: boolean };
  }) {
    const { include } = request;
    const kinds = (['personas', 'prompts', 'tools'] as const).filter((kind) => include[kind]);
    const studio = kinds.length > 0 ? await this.#studioRows(kinds) : {};
    const templates = include.templates ? await this.#options.backends.store.templates() : [];
    const backup = {
      format: FORMAT,
      version: 1,
      created_at: this.#options.now().toISOString(),
      ...studio,
      ...(include.templates && { templates: redact(templates.map(shownTemplate)) }),
    };
    const counts = Object.fromEntries(
      Object.entries(backup).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length]] : [])),
    );
    if (request.outputPath === undefined) return { counts, output_path: null, backup };
    const output_path = await this.#files.write(request.outputPath, `${JSON.stringify(backup, null, 2)}\n`);
    return { counts, output_path };
  }

  /** Puts our own templates back. Msty's data is never written. */
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
      dry_run: request.dryRun,
      templates_to_restore: names,
      replaces: names.filter((name) => known.has(name)),
      restored: request.dryRun ? 0 : templates.length,
      not_restored: ['personas', 'prompts', 'tools'],
    };
  }

  async resources() {
    const { backends } = this.#options;
    const [system, found] = await Promise.all([backends.system.resources(), backends.installation.find()]);
    const available = system.memoryAvailableBytes;
    const free = system.diskFreeBytes;
    return {
      cpu_count: system.cpuCount,
      cpu_model: system.cpuModel,
      load_average: system.loadAverage.map((load) => Math.round(load * 100) / 100),
      memory: {
        total_gb: gigabytes(system.memoryTotalBytes),
        available_gb: gigabytes(available),
      },
      disk: {
        total_gb: system.diskTotalBytes === null ? null : gigabytes(system.diskTotalBytes),
        free_gb: free === null ? null : gigabytes(free),
      },
      msty_running: found.isRunning,
      recommendations: [
        ...(available < 4 * GB ? ['Less than 4 GB of memory are free; use a small model or close programs'] : []),
        ...(free !== null && free < 10 * GB ? ['Less than 10 GB of disk are free; remove models you do not use'] : []),
      ],
    };
  }

  async #studioRows(kinds: readonly ('personas' | 'prompts' | 'tools')[]) {
    const { result } = await this.#studio.read((studio) =>
      kinds.map((kind) => [kind, studio.find(kind) ? studio.rows(kind, MAX_ROWS).map(openedRow) : []] as const),
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
        `The backup is not one of ours: see ${places.join(', ')}`,
        'Use a backup made by backup_configuration',
      );
    }
    return parsed.data;
  }
}

function gigabytes(bytes: number): number {
  return Math.round((bytes / GB) * 100) / 100;
}
