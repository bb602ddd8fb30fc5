import type { Failure, Limits } from '../interface.ts';
import { bytes, limitFailure, seconds } from '../results.ts';
import type { Answer } from './messages.ts';
import type { Stop } from './watchdog.ts';

interface Circumstances {
  readonly stopped: Stop | undefined;
  readonly hasBrokenProtocol: boolean;
  readonly limits: Limits;
  readonly wallMs: number;
}

const SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  11: 'SIGSEGV',
  15: 'SIGTERM',
  31: 'SIGSYS',
};
const KILLED = -9;
const CPU_TIME_OVER = -24;
/** With this status a worker ends when the tensors alone are too large. */
const OUT_OF_MEMORY = 99;

/** What went wrong in a call that the worker answered, if anything did. */
export function answeredFailure({ failure }: Answer, { stopped, limits, wallMs }: Circumstances): Failure | undefined {
  if (stopped === 'timeout') return limitFailure('timeout', seconds(wallMs));
  if (stopped === 'interrupted') return limitFailure('interrupted', '');
  return failure?.kind === 'memory' ? limitFailure('memory', bytes(limits.memoryBytes)) : failure;
}

/** Why the worker ended instead of answering. `status` is its exit code, or the negative number of a signal. */
export function exitFailure(status: number, stderr: string, circumstances: Circumstances): Failure {
  const { stopped, hasBrokenProtocol, limits, wallMs } = circumstances;
  if (hasBrokenProtocol)
    return { kind: 'crashed', message: "The code's interpreter was ended because it broke the protocol" };
  if (stopped === 'timeout' || status === CPU_TIME_OVER) return limitFailure('timeout', seconds(wallMs));
  if (stopped === 'interrupted') return limitFailure('interrupted', '');
  if (stopped === 'output') return limitFailure('output', bytes(limits.outputKillBytes));
  if (stopped === 'scratch') return limitFailure('output', `${bytes(limits.scratchBytes)} to its scratch folder`);
  if (stopped === 'threads') return { kind: 'refused', message: 'The code started too many threads and was stopped' };
  const ranOut = status === OUT_OF_MEMORY || /bad_alloc|Cannot allocate memory/.test(stderr);
  // The kill was not ours: the system ran out of memory.
  if (status === KILLED || ranOut) return limitFailure('memory', bytes(limits.memoryBytes));
  const how =
    status < 0 ? `was ended by ${SIGNALS[-status] ?? `signal ${-status}`}` : `ended itself with status ${status}`;
  return { kind: 'crashed', message: `The code's interpreter ${how}` };
}
