import type { AggregatorConfig } from '../config.ts';

/** Settings that a running aggregator applies; all others need a restart. */
const LIVE = new Set<string>([
  'builtin',
  'mode',
  'runTools',
  'callsPerProgram',
  'confirmWrites',
  'maxResultBytes',
  'servers',
  'mcpServers',
  'views',
  'tokens',
  'oauth',
  'callsPerMinute',
  'outputSchemas',
  'pinning',
  'inheritEnv',
  'pageSize',
  'listWaitMs',
] satisfies (keyof AggregatorConfig)[]);

/** The changed settings that need a restart. */
export function settingsForRestart(started: AggregatorConfig, now: AggregatorConfig): string[] {
  const settings = Object.keys({ ...started, ...now }) as (keyof AggregatorConfig)[];
  return settings.filter((name) => {
    // The URL was read from its file at start, which is not read again.
    if (LIVE.has(name) || (name === 'storage' && now.storageFile !== undefined)) return false;
    return JSON.stringify(started[name]) !== JSON.stringify(now[name]);
  });
}
