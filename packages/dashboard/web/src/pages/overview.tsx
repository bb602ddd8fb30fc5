import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { duration } from '../lib/format.ts';
import { startState } from '../lib/kept/start.ts';
import { remedyOf, sentence } from '../lib/remedies.ts';
import { linkTo } from '../lib/route.ts';
import { type UpstreamStatus, useStatus, type ViewCost } from '../lib/status.ts';
import { language, plural, t, tx } from '../lib/texts.ts';
import { LatestCalls } from '../parts/activity/latest-calls.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

/** Who is behind this endpoint, how they are, and what to do when one is not. A newcomer sees the first steps. */
export function Overview({ tools, onReady }: PageProps) {
  const { status, error } = useStatus();
  const [isStarting, setStarting] = useState(() => startState() !== 'done');
  const isThere = status !== undefined;
  useEffect(() => {
    if (isThere) onReady();
  }, [isThere, onReady]);
  if (error) return <Failure error={error} />;
  if (!status) return <Loading what={t('the state of each server')} />;
  const up = status.upstreams.filter(({ state }) => state === 'up' || state === 'waiting').length;
  const servers = plural(status.upstreams.length, 'server');
  const hasLake = status.upstreams.some(({ key, state }) => key === 'memorylake' && state !== 'disabled');
  return (
    <>
      {isStarting && hasLake && <Steps isReady={has(tools, 'list_memories')} onDone={() => setStarting(false)} />}
      <section>
        <p class="lead">
          {tools.length > 0
            ? t('{up} of {servers} ready, {tools} behind one endpoint.', {
                up,
                servers,
                tools: plural(tools.length, 'tool'),
              })
            : t('{up} of {servers} ready.', { up, servers })}{' '}
          {tx('<try>Try one</try>, <add>add a server</add> or <connect>connect a client</connect>.', {
            try: (text) => <a href="#/tools">{text}</a>,
            add: (text) => <a href="#/servers/new">{text}</a>,
            connect: (text) => <a href="#/connect">{text}</a>,
          })}
        </p>
        <ListCosts views={status.views ?? []} />
        <div class="overview">
          <div class="cards">
            {status.upstreams.map((upstream) => (
              <Upstream key={upstream.key} upstream={upstream} />
            ))}
          </div>
          <LatestCalls status={status} />
        </div>
      </section>
    </>
  );
}

/** What a client's model reads before it does anything, for each view. */
function ListCosts({ views }: { views: readonly ViewCost[] }) {
  if (views.length === 0) return null;
  const costs = views.map(({ name, list_tokens: tokens }) =>
    t('{tokens} tokens{view}', { tokens: tokens.toLocaleString(language), view: name ? ` (${name})` : '' }),
  );
  return (
    <p class="hint">{t('A model that is given the list of tools reads about {costs}.', { costs: costs.join(', ') })}</p>
  );
}

/** The first steps are fetched only for whoever may need them. */
function Steps({ isReady, onDone }: { isReady: boolean; onDone: () => void }) {
  const [view, setView] = useState<{ View: ComponentType<{ onDone: () => void }> }>();
  useEffect(() => {
    if (isReady) void import('../parts/start/first-steps.tsx').then(({ FirstSteps }) => setView({ View: FirstSteps }));
  }, [isReady]);
  return view ? <view.View onDone={onDone} /> : <div class="first-steps waiting" aria-hidden="true" />;
}

const WORDS: Record<string, string> = {
  up: t('up'),
  waiting: t('idle until it is needed'),
  starting: t('starting'),
  down: t('down'),
  disabled: t('switched off'),
};

/** Fewer latencies than this say nothing about their course. */
const FEWEST_IN_A_LINE = 5;

/** Built-in servers that have a page of their own. */
const PAGES: Record<string, { page: string; title: string }> = {
  memorylake: { page: 'lake', title: t('Open the lake') },
  'tensor-directory': { page: 'tensors', title: t('Open the tensors') },
  'cortex-embeddings': { page: 'embeddings', title: t('Open embeddings') },
  'msty-admin': { page: 'msty', title: t('Open Msty') },
};

function Upstream({ upstream }: { upstream: UpstreamStatus }) {
  const { key, state, since, kind, calls = 0, failures = 0, call_tokens: tokens = 0, reason } = upstream;
  const { latest_ms: latency = [] } = upstream;
  const last = latency.at(-1);
  const own = PAGES[key];
  return (
    <section class="card upstream">
      <h2>
        <span class={`dot ${state}`} aria-hidden="true" /> {key}
      </h2>
      <p>
        {WORDS[state] ?? state}
        {state === 'up' &&
          since &&
          ` ${t('for {time}', { time: duration(Math.max(Date.now() - Date.parse(since), 1)) })}`}
        {upstream.tools ? <span class="hint"> · {plural(upstream.tools, 'tool')}</span> : ''}
      </p>
      {reason && (
        <div class="notice bad">
          <strong>{sentence(reason)}</strong>
          <p>{remedyOf(kind)}</p>
        </div>
      )}
      {calls > 0 && (
        <dl class="figures">
          <div>
            <dt>{t('Calls')}</dt>
            <dd>{calls.toLocaleString(language)}</dd>
          </div>
          {failures > 0 && (
            <div>
              <dt>{t('Failures')}</dt>
              <dd class="bad">{failures.toLocaleString(language)}</dd>
            </div>
          )}
          <div>
            <dt>{t('Last call')}</dt>
            <dd>{last === undefined ? '–' : duration(last)}</dd>
          </div>
          {tokens > 0 && (
            <div>
              <dt>{t('Tokens, estimated')}</dt>
              <dd>{tokens.toLocaleString(language)}</dd>
            </div>
          )}
        </dl>
      )}
      <p class="links">
        {own && state !== 'disabled' && <a href={linkTo(own.page)}>{own.title}</a>}
        <a href={linkTo('servers', key)}>
          {state === 'disabled' ? t('Switch it on') : t('Settings')}
          <span class="hidden"> {t('of {key}', { key })}</span>
        </a>
      </p>
      {latency.length >= FEWEST_IN_A_LINE && (
        <Sparkline
          values={latency}
          label={t('Latency of the last {calls}', { calls: plural(latency.length, 'call') })}
        />
      )}
    </section>
  );
}
