import { type Outcome, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import type { AuditLog } from '../access/audit-log.ts';
import type { Activity } from '../activity/activity.ts';
import { answerSize, sizeOf } from '../activity/bounded.ts';
import type { Entry } from '../catalog/catalog.ts';
import { programOf } from '../code-mode/program-answer.ts';
import { RUN_TOOLS } from '../contract.ts';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import type { CallPrior } from '../search/call-prior.ts';

/** Where calls are recorded. */
export interface CallRecords {
  readonly callMetrics: CallMetrics;
  readonly audit: AuditLog | undefined;
  readonly prior: CallPrior | undefined;
  readonly activity: Activity;
}

interface EndedCall {
  readonly entry: Entry;
  readonly args: unknown;
  readonly context: RequestContext;
  readonly startedAt: number;
  readonly outcome: Outcome;
  /** What the caller's model reads of the outcome; undefined where no model reads it. */
  readonly shown: Outcome | undefined;
  /** Number of the program that made the call. */
  readonly program: number | undefined;
}

export function recordCall({ callMetrics, audit, prior, activity }: CallRecords, call: EndedCall): void {
  const { entry, args, context, startedAt, outcome, shown } = call;
  const { member, ownName: tool, name } = entry;
  const ms = performance.now() - startedAt;
  const upstream = member.supervisor.key;
  const verdict = outcome instanceof Error ? 'fault' : outcome.isError === true ? 'error' : 'ok';
  const sentChars = args === undefined ? 0 : sizeOf(args);
  const answerChars = answerSize(outcome);
  const read = shown === outcome ? answerChars : shown && answerSize(shown);
  callMetrics.record({ upstream, tool, outcome: verdict, ms }, read === undefined ? 0 : sentChars + read);
  const code = outcome instanceof ProtocolFault ? outcome.code : undefined;
  if (verdict === 'ok') prior?.succeeded(context.client.id, upstream, tool);
  audit?.write({ context, upstream, tool, args, outcome: verdict, code, ms });
  const program = call.program ?? (member.isOwn && tool === RUN_TOOLS ? programOf(outcome) : undefined);
  activity.record({ context, upstream, name, tool, args, verdict, outcome, ms, sentChars, answerChars, program });
}
