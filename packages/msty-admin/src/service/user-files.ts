import { extname, isAbsolute, sep } from 'node:path';
import { expandPath, showPath } from '../domain/home-path.ts';
import { fileForbidden, fileNotFound, invalidContent, invalidParameter } from '../errors.ts';
import type { ServiceOptions } from './options.ts';

const EXTENSIONS = ['.json', '.md', '.txt', '.csv'];

/** Files that a caller names: where one may be written, and what is read. */
export class UserFiles {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Writes a new file outside Msty's folders and returns its path. Folders are created inside the home folder only. */
  async write(path: string, text: string): Promise<string> {
    const target = await this.#writable(path);
    const { files } = this.#options.backends;
    const isInHome = isInside(await files.resolve(target), await files.resolve(this.#options.home));
    await files.writeNew(target, text, { createsFolders: isInHome });
    return this.shown(target);
  }

  /** Fails as `write` would, without writing. */
  async check(path: string): Promise<string> {
    return this.shown(await this.#writable(path));
  }

  async read(path: string): Promise<string> {
    const source = expandPath(path, this.#options.home);
    const text = await this.#options.backends.files.read(source);
    if (text === undefined) throw fileNotFound(this.shown(source));
    return text;
  }

  shown(path: string): string {
    return showPath(path, this.#options.home);
  }

  async #writable(path: string): Promise<string> {
    const { backends, home } = this.#options;
    const target = expandPath(path, home);
    if (!isAbsolute(target)) {
      throw invalidParameter('output_path must be an absolute path', 'Begin it with / (or a drive), ~ or $HOME');
    }
    if (!EXTENSIONS.includes(extname(target).toLowerCase())) {
      throw invalidParameter(`output_path must end in ${EXTENSIONS.join(', ')}`, 'For example ~/Documents/backup.json');
    }
    const real = await backends.files.resolve(target);
    for (const folder of backends.installation.protectedFolders()) {
      if (isInside(real, await backends.files.resolve(folder))) {
        throw fileForbidden(this.shown(target), "is inside Msty's own folder, which is never written to");
      }
    }
    return target;
  }
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidContent(`${what} is not JSON`, 'Check it for missing quotes, commas or brackets', error);
  }
}

/** Without regard to case: some file systems have none, and refusing too much does no harm. */
function isInside(path: string, folder: string): boolean {
  const inner = path.toLowerCase();
  const outer = folder.toLowerCase();
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}
