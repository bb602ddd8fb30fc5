export type StorageErrorCode =
  /** The disk, the quota or the allowed file size is used up. */
  | 'full'
  /** What is on disk is damaged or was cut short. */
  | 'corrupt'
  /** Another process held the lock for longer than the timeout. */
  | 'locked'
  /** A unique rule is violated, or a record that should be new exists already. */
  | 'conflict'
  /** A key, field, dimension or definition that the store can't take. */
  | 'invalid'
  /** No blob under this key. */
  | 'not_found'
  /** The folder or file may not be read or written by this user. */
  | 'denied'
  /** Used after close(). */
  | 'closed'
  /** The store can't be reached or failed in a way of its own; the cause says how. */
  | 'unavailable';

/** A failure of a store. The message says what to do; `cause` is the engine's own error, for the log. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

export const invalid = (message: string) => new StorageError('invalid', message);

export const closedStore = (what: string) =>
  new StorageError('closed', `The ${what} was closed. Open the storage again to use it.`);

export const taken = (definition: { name: string }, fields: readonly string[]) =>
  new StorageError('conflict', `Another record of "${definition.name}" already has this ${fields.join(' and ')}.`);
