import { type ProtocolFault, ToolError } from '@atoll-mcp/core';
import type { Failure, SandboxError } from '@atoll-mcp/sandbox';
import { withAdvice } from './advice.ts';

/** What a program did before it failed. */
interface ProgramTrace {
  readonly program: number;
  readonly output: string;
  readonly calls: readonly unknown[];
  readonly calls_total: number;
}

export const programsDisabled = () =>
  new ToolError('NOT_ENABLED', 'run_tools is not enabled here; set "mode": "code" or "runTools": true in atoll.json');

export const noSandbox = ({ code, message, fix }: SandboxError) =>
  new ToolError(
    code === 'busy' ? 'BUSY' : 'NO_SANDBOX',
    `${message}.${fix ? ` ${code === 'unavailable' ? 'To repair it' : 'To go on'}: ${fix}.` : ''}`,
  );

export const needsCode = () =>
  new ToolError('INVALID_ARGUMENTS', 'code: is required, unless plan_id names a paused program');

export const unknownPlan = () =>
  new ToolError(
    'UNKNOWN_PLAN',
    'Plan not found: it was confirmed before, has expired, or belongs to another caller; run the program again',
  );

export const samePlanOnly = () =>
  new ToolError(
    'UNKNOWN_PLAN',
    'The plan belongs to another program; leave out code, or send the code that the plan came from',
  );

/** The state of a question that is not its caller's, or of none. */
export const notAccepted = ({ message }: ProtocolFault) => new ToolError('UNKNOWN_PLAN', message);

export const programFailed = ({ message, traceback }: Failure, code: string, trace: ProgramTrace) =>
  new ToolError('PROGRAM_FAILED', withAdvice(message, code), {
    details: { ...trace, ...(traceback !== undefined && { traceback }) },
  });

export const programTimedOut = (timeoutMs: number, trace: ProgramTrace) =>
  new ToolError('PROGRAM_TIMEOUT', `The program did not end within ${timeoutMs} ms and was stopped`, {
    details: { ...trace },
  });
