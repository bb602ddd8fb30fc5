import type { CodeLanguage, CodeOutcome, CodeRunner, RunOptions } from '../../backends/interface.ts';
import type { Catalog } from '../catalog.ts';
import { type ExecutorLimit, Executors } from '../executors.ts';
import { type AddedMemory, type Library, uploadedFile } from '../library.ts';
import type { Lineage } from '../memory-record.ts';
import { type OnPrinted, Printed } from './printed.ts';
import type { ResultFile, ResultFiles } from './result-files.ts';

/** A file that code made. Kept files are memories too; `notKept` says why one could not be kept. */
export interface MadeFile extends ResultFile {
  readonly data: Uint8Array;
  /** Null without HTTP. */
  readonly downloadUrl: string | null;
  readonly memoryId?: string;
  readonly notKept?: string;
}

interface KeepOptions {
  /** Also puts the files into the lake. */
  readonly keep?: boolean | undefined;
  readonly collection?: string | undefined;
  /** Limit of the caller: callers with other limits cannot read the files. */
  readonly collections?: readonly string[] | undefined;
}

interface CodeRunOptions extends Omit<RunOptions, 'onOutput'>, KeepOptions {
  readonly onPrinted?: OnPrinted;
}

interface CodeRun extends Omit<CodeOutcome, 'files'> {
  readonly files: readonly MadeFile[];
}

interface LineageSource {
  readonly language: CodeLanguage;
  readonly code: string;
  readonly inputs: readonly string[];
}

interface FilesOptions extends Pick<KeepOptions, 'collections'> {
  readonly keep?: (LineageSource & Pick<KeepOptions, 'collection'>) | undefined;
}

const MAX_CODE_CHARACTERS = 20_000;

/** Runs code in executors and stores the files it makes. */
export class CodeRuns {
  readonly #options: CodeRunsOptions;
  readonly #executors: Executors;

  constructor(options: CodeRunsOptions) {
    this.#options = options;
    this.#executors = new Executors(options.runner, options.newId);
  }

  create(language: CodeLanguage, limit?: ExecutorLimit): Promise<string> {
    return this.#executors.create(language, limit);
  }

  async run(id: string, code: string, options: CodeRunOptions = {}): Promise<CodeRun> {
    if (options.collections) this.#executors.check(id, options.collections);
    const { keep, collection, collections, onPrinted = () => {}, ...runOptions } = options;
    const printed = new Printed(onPrinted);
    const run = this.#executors.run(id, code, { ...runOptions, onOutput: printed.add });
    const { outcome, language, inputs } = await run.finally(() => printed.end());
    const from = keep ? { language, code, inputs, collection } : undefined;
    return { ...outcome, files: await this.files(outcome.files, { keep: from, collections }) };
  }

  /** Stores files temporarily; kept files are added to the lake with their lineage. */
  async files(
    made: readonly { readonly name: string; readonly data: Uint8Array }[],
    { keep, collections }: FilesOptions = {},
  ): Promise<MadeFile[]> {
    if (made.length === 0) return [];
    const stored = await this.#options.results.put(made, collections);
    const lineage = keep && (await this.#lineageOf(keep));
    const files: MadeFile[] = [];
    for (const [at, file] of stored.entries()) {
      const { data } = made[at]!;
      const kept = lineage && (await this.#keep(file.name, data, { collection: keep?.collection, lineage }));
      files.push({ ...file, data, downloadUrl: await this.#options.link(file), ...kept });
    }
    return files;
  }

  async close(id: string, collections?: readonly string[]): Promise<void> {
    if (collections) this.#executors.check(id, collections);
    return this.#executors.close(id);
  }

  closeAll(): Promise<void> {
    return this.#executors.closeAll();
  }

  async #keep(name: string, data: Uint8Array, about: { collection: string | undefined; lineage: Lineage }) {
    const { library } = this.#options;
    const { memory, isDuplicate }: AddedMemory = await library.addSoon({
      ...uploadedFile(name.split('/').at(-1)!, data, about),
      lineage: about.lineage,
    });
    if (memory.status !== 'failed') return { memoryId: memory.id };
    // The lake cannot read it, such as a picture; it remains a file of the answer.
    if (!isDuplicate) await library.remove([memory.id]);
    return { notKept: memory.reason ?? 'It could not be read' };
  }

  async #lineageOf({ language, code, inputs }: LineageSource): Promise<Lineage> {
    const memories = await this.#options.catalog.memories.getMany(inputs);
    return {
      language,
      code: code.slice(0, MAX_CODE_CHARACTERS),
      inputs: memories.flatMap((memory) =>
        memory ? [{ id: memory.id, name: memory.name, sha256: memory.sha256 }] : [],
      ),
    };
  }
}

interface CodeRunsOptions {
  readonly runner: CodeRunner;
  readonly catalog: Catalog;
  readonly library: Library;
  readonly results: ResultFiles;
  readonly link: (file: { readonly id: string }) => Promise<string | null>;
  readonly newId: () => string;
}
