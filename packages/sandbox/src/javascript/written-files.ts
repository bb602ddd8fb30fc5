import type { QuickJSContext } from 'quickjs-emscripten';
import type { Limits, OutputFile, RefusedFile } from '../interface.ts';
import { fileNameProblem, fileTooLarge, tooManyFiles } from '../output-files.ts';

export type WrittenFileLimits = Pick<Limits, 'outputFiles' | 'outputFileBytes'>;

const FOLDER = 'out/';
const MAX_REFUSED = 100;

/** The files of a run that has no file system: what the code writes is kept here until it ends. */
export class WrittenFiles {
  readonly #limits: WrittenFileLimits;
  #files = new Map<string, Uint8Array>();
  #refused: RefusedFile[] = [];
  #bytes = 0;

  constructor(limits: WrittenFileLimits) {
    this.#limits = limits;
  }

  /** Gives a context `writeText(path, text)` and `writeBytes(path, bytes)`. */
  define(context: QuickJSContext): void {
    using text = context.newFunction('writeText', (path, content) => {
      this.#write(context.getString(path), Buffer.from(context.getString(content)));
    });
    using bytes = context.newFunction('writeBytes', (path, content) => {
      using view = context.getArrayBuffer(content);
      this.#write(context.getString(path), new Uint8Array(view.value));
    });
    context.setProp(context.global, 'writeText', text);
    context.setProp(context.global, 'writeBytes', bytes);
  }

  /** What was written since the last time. */
  take(): { files: OutputFile[]; refusedFiles: RefusedFile[] } {
    const files = [...this.#files].map(([name, data]) => ({ name, data }));
    const refusedFiles = this.#refused;
    this.#files = new Map();
    this.#refused = [];
    this.#bytes = 0;
    return { files, refusedFiles };
  }

  /** Throws into the code where a file is refused, and lists it as refused as well. */
  #write(path: string, data: Uint8Array): void {
    const { outputFiles, outputFileBytes } = this.#limits;
    if (!path.startsWith(FOLDER)) throw new Error(`Files are written into '${FOLDER}', not to '${path.slice(0, 100)}'`);
    const name = path.slice(FOLDER.length);
    const before = this.#files.get(name)?.byteLength ?? 0;
    const problem = fileNameProblem(name);
    if (problem) this.#refuse({ name: name.slice(0, 1_000), reason: problem });
    if (!this.#files.has(name) && this.#files.size >= outputFiles) this.#refuse(tooManyFiles(name, outputFiles));
    if (this.#bytes - before + data.byteLength > outputFileBytes)
      this.#refuse(fileTooLarge(name, data.byteLength, outputFileBytes));
    this.#bytes += data.byteLength - before;
    this.#files.set(name, data.slice());
  }

  #refuse(refused: RefusedFile): never {
    if (this.#refused.length < MAX_REFUSED) this.#refused.push(refused);
    throw new Error(`The file '${refused.name}' is refused. ${refused.reason}`);
  }
}
