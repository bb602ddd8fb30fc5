import type { AggregatorConfig } from '../config.ts';

/** What a running aggregator takes up; everything else is decided once. */
const LIVE = new Set<string>([
  'builtin',
  'mode',
  'servers',
  'mcpServers',
  'views',
  'tokens',
  'oauth',
  'callsPerMinute',
  'pageSize',
  'listWaitMs',
] satisfies (keyof AggregatorConfig)[]);

/** The settings that differ from those at the start and wait for the next one. */
export function settingsForRestart(started: AggregatorConfig, now: AggregatorConfig): string[] {
  const settings = Object.keys({ ...started, ...now }) as (keyof AggregatorConfig)[];
  return settings.filter((name) => {
    // At the start the address was read out of its file, which is not read again.
    if (LIVE.has(name) || (name === 'storage' && now.storageFile !== undefined)) return false;
    return JSON.stringify(started[name]) !== JSON.stringify(now[name]);
  });
}
