import { useEffect } from 'preact/hooks';
import { duration, plural } from '../lib/format.ts';
import { type UpstreamStatus, useStatus } from '../lib/status.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import type { PageProps } from './page.ts';

/** Who is behind this endpoint, how they are, and what to do when one is not. */
export function Overview({ tools, onReady }: PageProps) {
  const { status, error } = useStatus();
  const isThere = status !== undefined;
  useEffect(() => {
    if (isThere) onReady();
  }, [isThere, onReady]);
  if (error) return <Failure error={error} />;
  if (!status) return <Loading what="the state of each server" />;
  const up = status.upstreams.filter(({ state }) => state === 'up' || state === 'waiting').length;
  return (
    <>
      <p class="lead">
        {up} of {plural(status.upstreams.length, 'server')} ready
        {tools.length > 0 && `, ${plural(tools.length, 'tool')} behind one endpoint`}. <a href="#/tools">Try one</a> or{' '}
        <a href="#/connect">connect a client</a>.
      </p>
      <div class="cards">
        {status.upstreams.map((upstream) => (
          <Upstream key={upstream.key} upstream={upstream} />
        ))}
      </div>
    </>
  );
}

const WORDS: Record<string, string> = {
  up: 'up',
  waiting: 'asleep until it is needed',
  starting: 'starting',
  down: 'down',
  disabled: 'switched off',
};

const REMEDIES: Record<string, string> = {
  stdio:
    'Check its "command" and "args" in atoll.json, and run them once in a terminal to see what they say. Atoll tries again by itself.',
  http: 'Check its "url" in atoll.json, and whether it is running there. Atoll tries again by itself.',
  'in-process': 'Check its block under "servers" in atoll.json; "atoll doctor" says more.',
};

function Upstream({ upstream }: { upstream: UpstreamStatus }) {
  const { key, state, since, kind, calls = 0, failures = 0, latest_ms: latency = [], reason } = upstream;
  const last = latency.at(-1);
  return (
    <section class="card upstream">
      <h2>
        <span class={`dot ${state}`} aria-hidden="true" /> {key}
      </h2>
      <p>
        {WORDS[state] ?? state}
        {state === 'up' && since && ` for ${duration(Math.max(Date.now() - Date.parse(since), 1))}`}
        {upstream.tools ? <span class="hint"> · {plural(upstream.tools, 'tool')}</span> : ''}
      </p>
      {reason && (
        <div class="notice bad">
          <strong>{sentence(reason)}</strong>
          <p>{REMEDIES[kind ?? '']}</p>
        </div>
      )}
      {state === 'disabled' ? (
        <p class="hint">
          Take <code>"disabled": true</code> out of its block in atoll.json to have it.
        </p>
      ) : (
        <dl class="figures">
          <div>
            <dt>Calls</dt>
            <dd>{calls.toLocaleString('en')}</dd>
          </div>
          <div>
            <dt>Failures</dt>
            <dd class={failures > 0 ? 'bad' : ''}>{failures.toLocaleString('en')}</dd>
          </div>
          <div>
            <dt>Last call</dt>
            <dd>{last === undefined ? '–' : duration(last)}</dd>
          </div>
        </dl>
      )}
      {latency.length > 1 && (
        <Sparkline values={latency} label={`Latency of the last ${plural(latency.length, 'call')}`} />
      )}
    </section>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`;
}
