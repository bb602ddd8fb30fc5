import { type FileHandle, open } from 'node:fs/promises';

/** Written, but not yet sent to the disk. Smaller files are sent when they are finished. */
const FLUSH_BYTES = 1 << 20;
/** Handed over, but not yet written. */
const MOST_PENDING_BYTES = 16 << 20;

/** Writes a new file in the background, and sends it to the disk while more comes in, so that little is left to do at the end. */
export class DraftFile {
  readonly #opened: Promise<FileHandle>;
  #written: Promise<void>;
  #flushed: Promise<void> | undefined;
  #pendingBytes = 0;
  #unflushedBytes = 0;
  #hasFlushed = false;

  constructor(path: string) {
    this.#opened = open(path, 'wx');
    this.#written = this.#opened.then(() => {});
    this.#written.catch(noop);
  }

  /** Resolves when there is room for more. The part must stay as it is until the file is finished. */
  async write(part: Uint8Array): Promise<void> {
    this.#pendingBytes += part.byteLength;
    this.#written = this.#written.then(() => this.#append(part));
    this.#written.catch(noop);
    if (this.#pendingBytes > MOST_PENDING_BYTES) await this.#written;
  }

  /** All of it is on the disk when this resolves. */
  async finish(): Promise<void> {
    await this.#written;
    await this.#flushed;
    if (this.#unflushedBytes > 0 || !this.#hasFlushed) await (await this.#opened).datasync();
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#written, this.#flushed]);
    const file = await this.#opened.catch(noop);
    await file?.close();
  }

  async #append(part: Uint8Array): Promise<void> {
    const file = await this.#opened;
    // In one go where the disk takes it: `writeFile` asks for this thread's time after each half megabyte.
    for (let done = 0; done < part.byteLength; ) done += (await file.write(part, done)).bytesWritten;
    this.#pendingBytes -= part.byteLength;
    this.#unflushedBytes += part.byteLength;
    if (this.#flushed || this.#unflushedBytes < FLUSH_BYTES) return;
    this.#unflushedBytes = 0;
    this.#flushed = file.datasync().then(() => {
      this.#flushed = undefined;
      this.#hasFlushed = true;
    });
    this.#flushed.catch(noop);
  }
}

function noop(): void {}
