import { watch as watchFolder } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import type { MemoryLakeService } from '../service.ts';
import { findFiles } from './find-files.ts';
import { failedLine, lakeCommand, lineFor, notAdded, print, refusalOf, shown } from './lake-command.ts';

/** How long a folder must be unchanged before it is scanned: programs save in several steps. */
const QUIET_MS = 300;
/** Network folders may not report changes, so every folder is also rescanned this often. */
const RESCAN_MS = 30_000;

export const watch = lakeCommand(
  'watch DIR [--json]',
  'Add, update and remove files as a folder changes, until stopped',
  { minWords: 1 },
  async ({ lake, words, flag }) => {
    const folder = await realpath(resolve(words[0]!)).catch(() => undefined);
    if (folder === undefined || !(await stat(folder)).isDirectory()) {
      process.stderr.write(`"${words[0]}" is not a folder\n`);
      return 2;
    }
    const step = new FolderWatch(lake, folder, (change) =>
      print(flag('json') ? JSON.stringify(change.json) : change.line),
    );
    await step.look();
    process.stderr.write(`watching ${folder}\n`);
    await untilStopped(folder, () => step.look());
    return 0;
  },
);

interface Change {
  readonly line: string;
  readonly json: unknown;
}

/** Compares a folder with the last scan and applies the difference to the lake. */
class FolderWatch {
  readonly #lake: MemoryLakeService;
  readonly #folder: string;
  readonly #tell: (change: Change) => void;
  readonly #seen = new Map<string, string>();
  #looking: Promise<void> = Promise.resolve();

  constructor(lake: MemoryLakeService, folder: string, tell: (change: Change) => void) {
    this.#lake = lake;
    this.#folder = folder;
    this.#tell = tell;
  }

  /** Scans run one after another. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#compare());
    return this.#looking;
  }

  async #compare(): Promise<void> {
    const { files, missing, closed } = await findFiles([this.#folder], { recursive: true });
    // The folder is missing, such as on an unplugged disk: nothing in it was deleted.
    if (missing.length > 0) return;
    for (const path of files) {
      const facts = await stat(path).catch(() => undefined);
      const state = facts && `${facts.size}/${facts.mtimeMs}`;
      if (!state || this.#seen.get(path) === state) continue;
      this.#tell(await this.#added(path, basename(path)));
      this.#seen.set(path, state);
    }
    const present = new Set(files);
    for (const path of await this.#lake.pathsUnder(this.#folder + sep)) {
      if (present.has(path) || closed.some((folder) => path.startsWith(folder + sep))) continue;
      this.#seen.delete(path);
      const id = await this.#lake.removePath(path);
      if (id) this.#tell({ line: `- ${basename(path)}  ${id}`, json: { event: 'removed', id, name: basename(path) } });
    }
  }

  async #added(path: string, name: string): Promise<Change> {
    try {
      const { memory } = await this.#lake.add(this.#lake.fileAt(path, name));
      return { line: lineFor(memory), json: { event: 'added', ...shown(memory) } };
    } catch (error) {
      const reason = refusalOf(error);
      return { line: failedLine(name, reason), json: { event: 'refused', ...notAdded(name, reason) } };
    }
  }
}

function untilStopped(folder: string, look: () => Promise<void>): Promise<void> {
  return new Promise((done, fail) => {
    let quiet: NodeJS.Timeout | undefined;
    const soon = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => look().catch(stop), QUIET_MS);
    };
    const watcher = watchFolder(folder, { recursive: true }, soon);
    const again = setInterval(soon, RESCAN_MS);
    const stop = (error?: unknown) => {
      clearTimeout(quiet);
      clearInterval(again);
      watcher.close();
      error instanceof Error ? fail(error) : done();
    };
    watcher.on('error', stop);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
  });
}
