import type { Capability } from './interface.ts';

export type SandboxErrorCode = 'unavailable' | 'busy' | 'limit';

/** A refusal that the caller can act on. Anything else that is thrown is a bug. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;
  /** The command or change that helps, where there is one. */
  readonly fix: string | undefined;

  constructor(code: SandboxErrorCode, message: string, options: { fix?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
  }
}

export const unavailable = ({ language, reason, fix }: Capability) =>
  new SandboxError('unavailable', reason ?? `No sandbox for ${language} on this machine`, { fix });

export const cannotWrite = (folder: string, cause: NodeJS.ErrnoException) =>
  new SandboxError('unavailable', `Cannot write to ${folder} (${cause.code})`, {
    fix: 'Choose a folder of your own with --python-dir or ATOLL_PYTHON_DIR',
    cause,
  });

export const busy = (sessions: number) =>
  new SandboxError('busy', `All ${sessions} sessions are busy`, { fix: 'Try again when one of them has finished' });

export const outOfRange = (name: string, value: number, min: number, max: number) =>
  new SandboxError('limit', `${name} must be from ${min} to ${max}, not ${value}`);
