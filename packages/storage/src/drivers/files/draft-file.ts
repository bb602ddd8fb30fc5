import { type FileHandle, open, rm } from 'node:fs/promises';

/** Written, but not yet sent to the disk. Smaller files are sent when they are finished. */
const FLUSH_BYTES = 1 << 20;
/** Written in one go: each costs a moment of this thread's time. */
const WRITE_BYTES = 4 << 20;
/** Handed over, but not yet written. */
const MAX_PENDING_BYTES = 16 << 20;

/** Writes a new file in the background, and sends it to the disk while more comes in, so that little is left to do at the end. */
export class DraftFile {
  readonly #path: string;
  readonly #opened: Promise<FileHandle>;
  #written: Promise<void>;
  #flushed: Promise<void> | undefined;
  #pendingBytes = 0;
  #unflushedBytes = 0;
  #hasFlushed = false;

  constructor(path: string) {
    this.#path = path;
    this.#opened = open(path, 'wx', 0o600);
    this.#written = this.#opened.then(noop);
    this.#written.catch(noop);
  }

  /** Fails if the file could not be made, as when its folder is gone. */
  async opened(): Promise<void> {
    await this.#opened;
  }

  /** Resolves when there is room for more. The part must stay as it is until the file is finished. */
  async write(part: Uint8Array): Promise<void> {
    this.#pendingBytes += part.byteLength;
    this.#written = this.#written.then(() => this.#append(part));
    this.#written.catch(noop);
    if (this.#pendingBytes > MAX_PENDING_BYTES) await this.#written;
  }

  /** All of it is on the disk when this resolves, and the file is closed. */
  async finish(): Promise<void> {
    await this.#written;
    await this.#flushed;
    const file = await this.#opened;
    if (this.#unflushedBytes > 0 || !this.#hasFlushed) await file.datasync();
    await file.close();
  }

  /** Removes what there is of it. It may not be there before it is opened, and then come to be. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#written, this.#flushed]);
    const file = await this.#opened.catch(noop);
    // Why it is discarded matters more than a file that is left: that is swept away in time.
    await file?.close().catch(noop);
    await rm(this.#path, { force: true }).catch(noop);
  }

  async #append(part: Uint8Array): Promise<void> {
    const file = await this.#opened;
    for (let done = 0; done < part.byteLength; ) {
      const { bytesWritten } = await file.write(part, done, Math.min(WRITE_BYTES, part.byteLength - done));
      done += bytesWritten;
      this.#unflushedBytes += bytesWritten;
      if (!this.#flushed && this.#unflushedBytes >= FLUSH_BYTES) this.#flush(file);
    }
    this.#pendingBytes -= part.byteLength;
  }

  #flush(file: FileHandle): void {
    this.#unflushedBytes = 0;
    this.#flushed = file.datasync().then(() => {
      this.#flushed = undefined;
      this.#hasFlushed = true;
    });
    this.#flushed.catch(noop);
  }
}

/** Of a promise that is awaited later, or whose failure changes nothing. */
function noop(): void {}
