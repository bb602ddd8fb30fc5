export interface ToolErrorOptions {
  readonly suggestion?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** A failure the caller is meant to read. Anything else that is thrown is a bug. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;
  readonly suggestion: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.suggestion = options.suggestion;
    this.details = options.details;
  }
}
