import { join, relative, sep } from 'node:path';
import type { FolderSource } from '../../backends/interface.ts';
import { type FolderPatterns, folderFilter } from '../../domain/folders/folder-filter.ts';

/** The last known state of a watched file. */
export interface FollowedFile {
  readonly path: string;
  /** Size and time of change, to tell whether it must be read again. */
  readonly state: string;
}

interface FolderChanges {
  /** New or changed. */
  readonly present: FollowedFile[];
  readonly absent: string[];
  /** Folders that were read. */
  readonly seen: string[];
  /** Subfolders that no longer exist. */
  readonly lost: string[];
}

/** Compares folders with the files known in them, without reading file contents. */
export class FolderComparison {
  readonly #root: string;
  readonly #source: FolderSource;
  readonly #filter: ReturnType<typeof folderFilter>;
  readonly #known: ReadonlyMap<string, ReadonlyMap<string, FollowedFile>>;

  constructor(options: {
    root: string;
    patterns: FolderPatterns;
    source: FolderSource;
    /** By folder, then by path. */
    known: ReadonlyMap<string, ReadonlyMap<string, FollowedFile>>;
  }) {
    this.#root = options.root;
    this.#source = options.source;
    this.#filter = folderFilter(options.patterns);
    this.#known = options.known;
  }

  /** Undefined if the root is missing: nothing was deleted on an unplugged disk. */
  async changes(folders: Iterable<string>, isDeep: boolean): Promise<FolderChanges | undefined> {
    const root = await this.#source.contents(this.#root);
    if (root === 'gone' || root === 'closed') return undefined;
    // An empty folder where there were files is most likely a disk that is not mounted.
    if (root.files.length + root.folders.length === 0 && this.#known.size > 0) return undefined;
    const found: FolderChanges = { present: [], absent: [], seen: [], lost: [] };
    for (const folder of folders) await this.#compare(folder, isDeep, found);
    return found;
  }

  async #compare(folder: string, isDeep: boolean, found: FolderChanges): Promise<void> {
    if (found.seen.includes(folder)) return;
    const contents = await this.#source.contents(folder);
    if (contents === 'closed') return;
    if (contents === 'gone') return this.#addLost(folder, found);
    found.seen.push(folder);
    const known = this.#known.get(folder);
    const here = new Set<string>();
    for (const { name, state } of contents.files) {
      const path = join(folder, name);
      if (!this.#filter.file(this.#below(path))) continue;
      here.add(path);
      if (known?.get(path)?.state !== state) found.present.push({ path, state });
    }
    for (const path of known?.keys() ?? []) if (!here.has(path)) found.absent.push(path);
    const folders = contents.folders
      .map((name) => join(folder, name))
      .filter((path) => this.#filter.folder(this.#below(path)));
    for (const path of folders) if (isDeep || !this.#isKnown(path)) await this.#compare(path, true, found);
    for (const path of this.#known.keys())
      if (path.startsWith(folder + sep) && !folders.some((there) => path === there || path.startsWith(there + sep)))
        this.#addLost(path, found);
  }

  #addLost(folder: string, found: FolderChanges): void {
    for (const [path, files] of this.#known)
      if (path === folder || path.startsWith(folder + sep)) {
        found.lost.push(path);
        found.absent.push(...files.keys());
      }
  }

  #isKnown(folder: string): boolean {
    for (const path of this.#known.keys()) if (path === folder || path.startsWith(folder + sep)) return true;
    return false;
  }

  #below(path: string): string {
    return relative(this.#root, path).split(sep).join('/');
  }
}
