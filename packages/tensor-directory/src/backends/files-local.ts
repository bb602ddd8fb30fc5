import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { importRefused } from '../errors.ts';
import type { FileLimit, LocatedFile, UserFiles } from './interface.ts';

/** Local files: imports from allowed folders, exports into the export folder. */
export class LocalFiles implements UserFiles {
  readonly #roots: readonly string[];
  readonly #exports: string;

  constructor(options: { importRoots: readonly string[]; exportDir: string }) {
    this.#roots = options.importRoots;
    this.#exports = options.exportDir;
  }

  async read(path: string, limit: FileLimit): Promise<{ fileName: string; bytes: Uint8Array }> {
    const { fileName, path: real } = await this.locate(path, limit);
    return { fileName, bytes: await readFile(real) };
  }

  async locate(path: string, limit: FileLimit): Promise<LocatedFile> {
    const real = await this.#allowed(path);
    return { fileName: basename(path), path: real, sizeBytes: await checkedSize(path, real, limit) };
  }

  async readBeside(path: string, beside: string, limit: FileLimit): Promise<Uint8Array> {
    const folder = dirname(await this.#allowed(path));
    const real = await followed(resolve(folder, beside));
    if (real === undefined || !isInside(folder, real))
      throw importRefused(path, `its external data '${beside}' is not there, or lies outside its folder`);
    await checkedSize(beside, real, limit);
    return readFile(real);
  }

  async write(fileName: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    await mkdir(this.#exports, { recursive: true, mode: 0o700 });
    const path = join(this.#exports, fileName);
    const draft = join(this.#exports, `.${randomUUID()}`);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        for await (const piece of content) {
          signal?.throwIfAborted();
          hash.update(piece);
          sizeBytes += piece.byteLength;
          await file.writeFile(piece);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
    return { path, sizeBytes, sha256: hash.digest('hex') };
  }

  /** Resolves links and checks that the path is inside an import folder. Missing and outside paths give the same error. */
  async #allowed(path: string): Promise<string> {
    if (this.#roots.length === 0) {
      throw importRefused(path, 'no import folder is set; start the server with --import-root');
    }
    const candidates = isAbsolute(path) ? [path] : this.#roots.map((root) => join(root, path));
    for (const candidate of candidates) {
      const real = await followed(resolve(candidate));
      if (real === undefined) continue;
      for (const root of this.#roots) {
        const realRoot = await followed(resolve(root));
        if (realRoot !== undefined && isInside(realRoot, real)) return real;
      }
    }
    throw importRefused(path, `no such file in an import folder (${this.#roots.join(', ')})`);
  }
}

async function checkedSize(path: string, real: string, { maxBytes, instead }: FileLimit): Promise<number> {
  const info = await stat(real);
  if (!info.isFile()) throw importRefused(path, 'it is not a file');
  if (info.size > maxBytes) {
    const advice = instead ? `; ${instead} instead` : '';
    throw importRefused(path, `it has ${info.size} bytes; at most ${maxBytes} are allowed${advice}`);
  }
  return info.size;
}

async function followed(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
