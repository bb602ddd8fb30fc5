import { type HealthReport, isObject, type Json } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import type { Member } from './catalog.ts';

const MAX_INSTRUCTIONS = 2_000;

const NOT_LISTED =
  'Tools that are not listed can be used too: search_tools finds them, describe_tool shows their arguments, and run_tools (a program that calls many) or call_tool (one call) runs them.';

/** The instructions of all upstreams, each under its name. */
export function mergeInstructions(
  members: readonly Member[],
  { mode, views }: Pick<AggregatorConfig, 'mode' | 'views'>,
): string {
  const parts = members.flatMap(({ supervisor, prefix, isAlternative }) => {
    const text = supervisor.link?.instructions?.trim();
    if (!text || isAlternative) return [];
    const names = prefix === '' ? '' : ` (its tools begin with ${prefix})`;
    return [`## ${supervisor.key}${names}\n${text.slice(0, MAX_INSTRUCTIONS)}`];
  });
  const start = 'Several servers answer here together; atoll_status shows which of them are up.';
  const modes = [mode, ...Object.values(views).map((view) => view.mode ?? mode)];
  return [modes.every((each) => each === 'full') ? start : `${start} ${NOT_LISTED}`, ...parts].join('\n\n');
}

/** All list capabilities are advertised because any list may gain entries; extensions come from upstreams that are up. */
export function mergeCapabilities(supervisors: readonly UpstreamSupervisor[]): Json {
  const merged = (field: 'extensions' | 'experimental') =>
    Object.fromEntries(
      supervisors.flatMap(({ link }) =>
        isObject(link?.capabilities[field]) ? Object.entries(link.capabilities[field]) : [],
      ),
    ) as Json;
  const extensions = merged('extensions');
  const experimental = merged('experimental');
  return {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
    ...(Object.keys(extensions).length > 0 && { extensions }),
    ...(Object.keys(experimental).length > 0 && { experimental }),
  };
}

export function healthOf(supervisors: readonly UpstreamSupervisor[]): HealthReport {
  const enabled = supervisors.filter(({ state }) => state !== 'disabled');
  const down = enabled.filter(({ state }) => state === 'down');
  const isDown = enabled.length > 0 && down.length === enabled.length;
  const upstreams = Object.fromEntries(
    supervisors.map(({ key, state, since, downReason, listProblem }) => {
      const reason = state === 'down' ? downReason : listProblem;
      return [key, { state, since: since.toISOString(), ...(reason !== undefined && { reason }) }];
    }),
  );
  const isDegraded = down.length > 0 || enabled.some(({ listProblem }) => listProblem !== undefined);
  return { status: isDown ? 'down' : isDegraded ? 'degraded' : 'ok', upstreams };
}
