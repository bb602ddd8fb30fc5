type FormatProblem = 'damaged' | 'encrypted' | 'unsupported' | 'too-large';

/** A file that cannot be read as its format. The message is for the user and continues "it could not be read: …". */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly problem: FormatProblem;

  constructor(message: string, { problem = 'damaged', ...options }: ErrorOptions & { problem?: FormatProblem } = {}) {
    super(message, options);
    this.problem = problem;
  }
}

/** One array of a file holds what a tensor cannot; the others may be fine. */
export class UnstorableError extends FormatError {
  constructor(
    /** As in `labels (text)`. */
    readonly holds: string,
    message: string,
  ) {
    super(message, { problem: 'unsupported' });
  }
}
