import type { Failure, Limits } from './interface.ts';
import { bytes, limitFailure, seconds } from './results.ts';
import type { ThreadOutcome } from './thread.ts';

/** What went wrong in a thread, with the messages that all runtimes share. */
export function threadFailure(
  outcome: ThreadOutcome<{ failure?: Failure }>,
  limits: Limits,
  wallMs: number,
): Failure | undefined {
  const { stopped } = outcome;
  const reported = 'answer' in outcome ? outcome.answer.failure : undefined;
  if (reported?.kind === 'output') return limitFailure('output', bytes(limits.outputKillBytes));
  if (stopped === 'timeout') return limitFailure('timeout', seconds(wallMs));
  if (stopped === 'interrupted') return limitFailure('interrupted', '');
  if (reported?.kind === 'memory') return limitFailure('memory', bytes(limits.memoryBytes));
  if ('answer' in outcome) return reported;
  if (outcome.gone === 'memory') return limitFailure('memory', bytes(limits.memoryBytes));
  return { kind: 'crashed', message: 'The interpreter crashed, most likely because it ran out of memory' };
}
