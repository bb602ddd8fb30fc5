import type { EndReason, Failure, FailureKind, RunResult } from './interface.ts';

/** A call that did not get as far as running code. */
export function notRun(kind: FailureKind, message: string, statePreserved = true): RunResult {
  return { ...emptyOutput(), ok: false, durationMs: 0, failure: { kind, message }, statePreserved };
}

export function emptyOutput(): Pick<RunResult, 'stdout' | 'stderr' | 'truncated'> {
  return { stdout: '', stderr: '', truncated: { stdout: false, stderr: false } };
}

const ENDINGS: Readonly<Record<EndReason, string>> = {
  closed: 'was closed',
  idle: 'was idle for too long and has ended',
  replaced: 'was the longest idle one and made room for another',
  killed: 'was killed in an earlier call',
};

export const sessionOver = (reason: EndReason) =>
  notRun('unavailable', `This session ${ENDINGS[reason]}; open a new one`, false);

export const codeTooLong = (bytes: number, max: number) =>
  notRun('refused', `The code has ${bytes} bytes; at max ${max} are taken`);

/** The message for a limit that was met. */
export function limitFailure(kind: 'timeout' | 'output' | 'memory' | 'interrupted', amount: string): Failure {
  const messages = {
    timeout: `The code ran longer than ${amount} and was stopped`,
    output: `The code wrote more than ${amount} and was stopped`,
    memory: `The code needed more than ${amount} of memory`,
    interrupted: 'The code was interrupted by the caller',
  };
  return { kind, message: messages[kind] };
}

export const seconds = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

export function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, count)) / 10)));
  return `${Number((count / 1024 ** power).toFixed(1))} ${units[power]}`;
}
