import { duration, plural } from '../lib/format.ts';
import { type UpstreamStatus, useStatus } from '../lib/status.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import type { PageProps } from './page.ts';

/** Who is behind this endpoint, how they are, and what to do when one is not. */
export function Overview({ tools }: PageProps) {
  const { status, error } = useStatus();
  if (error)
    return <Failure error={error} next="The endpoint did not tell its state; reload the page or look at its log." />;
  if (!status) return <Loading what="the state of each server" />;
  const up = status.upstreams.filter(({ state }) => state === 'up').length;
  return (
    <>
      <p class="lead">
        {up} of {plural(status.upstreams.length, 'server')} up, {plural(tools.length, 'tool')} behind one endpoint.{' '}
        <a href="#/tools">Try one</a> or <a href="#/connect">connect a client</a>.
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

function Upstream({ upstream }: { upstream: UpstreamStatus }) {
  const { key, state, since, calls = 0, failures = 0, latest_ms: latency = [], reason, suggestion } = upstream;
  const last = latency.at(-1);
  return (
    <section class="card upstream">
      <h2>
        <span class={`dot ${state}`} aria-hidden="true" /> {key}
      </h2>
      <p>
        {WORDS[state] ?? state}
        {state === 'up' && since && ` for ${duration(Date.now() - Date.parse(since))}`}
      </p>
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
      <Sparkline
        values={latency}
        label={latency.length > 0 ? `Latency of the last ${plural(latency.length, 'call')}` : 'No calls yet'}
      />
      {reason && (
        <div class="notice bad">
          <strong>{reason}</strong>
          {suggestion && <p>{suggestion}</p>}
        </div>
      )}
    </section>
  );
}
