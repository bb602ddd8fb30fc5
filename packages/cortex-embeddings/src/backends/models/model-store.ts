import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type InstalledModel, installedModelSchema } from '../../domain/models/installed-model.ts';
import { DEFAULT_MODEL, resolveModelName } from '../../domain/models/model-catalog.ts';
import { ModelProblem } from '../model-problem.ts';

const MANIFEST = 'model.json';
const ACTIVE = 'active.json';

/** The models of a folder: one folder each, with a manifest that pins its files. */
export class ModelStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What was pulled, by name. */
  async list(): Promise<InstalledModel[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isDirectory() && isModelName(entry.name)).map(({ name }) => name);
    return names.sort().flatMap((name) => this.find(name) ?? []);
  }

  /** By its own name or that of a set; nothing when it was not pulled or its manifest is damaged. */
  find(name: string): InstalledModel | undefined {
    const ownName = resolveModelName(name);
    if (!isModelName(ownName)) return undefined;
    const manifest = installedModelSchema.safeParse(readJson(join(this.folder, ownName, MANIFEST)));
    return manifest.success && manifest.data.name === ownName ? manifest.data : undefined;
  }

  /** Where the files of a model are. */
  folderOf({ name, source }: InstalledModel): string {
    return source.kind === 'folder' ? source.path : join(this.folder, name);
  }

  /** Where a model is put together; what is in it is used again after an interruption. */
  draftOf(name: string): string {
    return join(this.folder, `.${name}.partial`);
  }

  /** Puts a finished draft in the place of what was there. */
  async install(model: InstalledModel): Promise<void> {
    const draft = this.draftOf(model.name);
    const place = join(this.folder, model.name);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(model, null, 2)}\n`, { mode: 0o600 });
    const old = existsSync(place) ? join(this.folder, `.${model.name}.${randomUUID()}.old`) : undefined;
    if (old) await rename(place, old);
    await rename(draft, place);
    if (old) await rm(old, { recursive: true, force: true });
  }

  /** Deletes a model and what is left of an interrupted pull. The files of a folder source stay where they are. */
  async remove(name: string): Promise<void> {
    const ownName = resolveModelName(name);
    if (ownName === DEFAULT_MODEL) {
      throw new ModelProblem(`"${DEFAULT_MODEL}" comes with the package and cannot be removed`, 'Remove another one');
    }
    const wasThere = isModelName(ownName) && existsSync(join(this.folder, ownName));
    if (isModelName(ownName)) {
      await rm(join(this.folder, ownName), { recursive: true, force: true });
      await rm(this.draftOf(ownName), { recursive: true, force: true });
    }
    if (!wasThere) throw new ModelProblem(`"${name}" is not installed`, 'Run: cortex-embeddings models list');
    if (this.active() === ownName) await rm(join(this.folder, ACTIVE), { force: true });
  }

  /** The model that is used when none is named. */
  active(): string {
    const chosen = z.object({ model: z.string() }).safeParse(readJson(join(this.folder, ACTIVE)));
    return chosen.success ? chosen.data.model : DEFAULT_MODEL;
  }

  async use(name: string): Promise<void> {
    const model = resolveModelName(name);
    if (model !== DEFAULT_MODEL) {
      const installed = this.find(model);
      if (!installed) throw notInstalled(name);
      if (installed.kind === 'reranker') {
        throw new ModelProblem(`"${model}" reorders texts and makes no vectors`, 'Choose an embedding model');
      }
    }
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.folder, ACTIVE), `${JSON.stringify({ model })}\n`, { mode: 0o600 });
  }
}

const notInstalled = (name: string) =>
  new ModelProblem(`The model "${name}" is not installed`, `Run: cortex-embeddings models pull ${name}`);

/** Names are folders, so they must not lead anywhere else; those with a dot in front are drafts. */
export const isModelName = (name: string): boolean => /^[a-z0-9][\w.-]{0,99}$/i.test(name);

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
