import { useState } from 'preact/hooks';
import { type ActivityFilter, useActivity } from '../lib/activity.ts';
import type { CallSummary } from '../lib/admin.ts';
import { duration, time } from '../lib/format.ts';
import { useRested } from '../lib/hooks.ts';
import { linkTo } from '../lib/route.ts';
import { useStatus } from '../lib/status.ts';
import { language, plural, t, tx } from '../lib/texts.ts';
import { CallView, chars } from '../parts/activity/call-view.tsx';
import { OutcomeTag } from '../parts/activity/outcome-tag.tsx';
import { COLOURS, TimeChart } from '../parts/activity/time-chart.tsx';
import { Breakable } from '../parts/breakable.tsx';
import { AdminFailure, Empty, Loading } from '../parts/states.tsx';
import { find, type PageProps } from './page.ts';

/** Every call as it happens: who, what, how long, and how it ended. */
export function Activity({ tools, rest }: PageProps) {
  const [filter, setFilter] = useState<ActivityFilter>({ server: '', outcome: '', text: '', isWithoutViewer: false });
  const [isLive, setLive] = useState(true);
  const text = useRested(filter.text, 180);
  const { state, series, error } = useActivity({ ...filter, text }, isLive);
  const { status } = useStatus();
  const id = Number(rest[0]);
  if (error && !state) return <AdminFailure error={error} />;
  if (!state) return <Loading what={t('the latest calls')} />;
  if (state.capacity === 0) {
    return (
      <Empty title={t('Calls are not recorded')}>
        <p>
          {tx(
            '{code} in the configuration turns this off. Any other number is how many calls are kept, in memory only.',
            { code: <code>"activity": 0</code> },
          )}
        </p>
      </Empty>
    );
  }
  const set = (part: Partial<ActivityFilter>) => setFilter((before) => ({ ...before, ...part }));
  const isFiltered = Boolean(filter.server || filter.outcome || filter.text || filter.isWithoutViewer);
  return (
    <>
      {error && <AdminFailure error={error} />}
      <Charts series={series} />
      <div class="filters">
        <label>
          {t('Tool, server or caller')}
          <input type="search" value={filter.text} onInput={(event) => set({ text: event.currentTarget.value })} />
        </label>
        <label class="narrow">
          {t('Server')}
          <select value={filter.server} onChange={(event) => set({ server: event.currentTarget.value })}>
            <option value="">{t('all')}</option>
            {(status?.upstreams ?? []).map(({ key }) => (
              <option key={key}>{key}</option>
            ))}
          </select>
        </label>
        <label class="narrow">
          {t('Outcome')}
          <select value={filter.outcome} onChange={(event) => set({ outcome: event.currentTarget.value })}>
            <option value="">{t('all')}</option>
            <option value="ok">{t('ok')}</option>
            <option value="failed">{t('failed')}</option>
          </select>
        </label>
        <label class="narrow">
          {t('By this page')}
          <select
            value={filter.isWithoutViewer ? 'hide' : ''}
            onChange={(event) => set({ isWithoutViewer: event.currentTarget.value === 'hide' })}
          >
            <option value="">{t('show')}</option>
            <option value="hide">{t('hide')}</option>
          </select>
        </label>
        <button type="button" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? t('Live') : t('Paused')}
        </button>
      </div>
      <div class={id ? 'two-panes' : ''}>
        <section aria-label={t('Calls')}>
          {state.calls.length === 0 ? (
            <Empty title={isFiltered ? t('No call fits these filters') : t('No calls yet')}>
              <p>
                {isFiltered
                  ? t('Of the {calls} since Atoll started, the latest {capacity} are searched.', {
                      calls: plural(state.recorded, 'call'),
                      capacity: state.capacity.toLocaleString(language),
                    })
                  : tx(
                      'Calls of your clients appear here as they happen. <a>Try a tool</a> or <a2>connect a client</a2>.',
                      { a: (text) => <a href="#/tools">{text}</a>, a2: (text) => <a href="#/connect">{text}</a> },
                    )}
              </p>
            </Empty>
          ) : (
            <Calls calls={state.calls} chosen={id} />
          )}
        </section>
        {id > 0 && <CallView key={id} id={id} tool={(name) => find(tools, name)} />}
      </div>
    </>
  );
}

function Charts({ series }: { series: ReturnType<typeof useActivity>['series'] }) {
  const points = Object.values(series).flat();
  if (points.length === 0) return null;
  const sum = (value: (point: (typeof points)[number]) => number) =>
    points.reduce((all, point) => all + value(point), 0);
  const slowest = Math.max(...points.map(({ p95 }) => p95));
  const round = (value: number) => value.toLocaleString(language);
  return (
    <>
      <div class="charts">
        <TimeChart
          title={t('Calls')}
          servers={series}
          value={({ calls }) => calls}
          format={round}
          total={round(sum(({ calls }) => calls))}
        />
        <TimeChart
          title={t('Failures')}
          servers={series}
          value={({ failures }) => failures}
          format={round}
          total={round(sum(({ failures }) => failures))}
        />
        <TimeChart
          title={t('Latency, p95')}
          servers={series}
          value={({ p95 }) => p95}
          format={duration}
          total={duration(slowest)}
        />
      </div>
      <ul class="legend" aria-label={t('Servers in the charts')}>
        {Object.keys(series).map((name, index) => (
          <li key={name}>
            <span class={`swatch s${index % COLOURS}`} aria-hidden="true" /> {name}
          </li>
        ))}
      </ul>
    </>
  );
}

function Calls({ calls, chosen }: { calls: readonly CallSummary[]; chosen: number }) {
  return (
    <div class="table calls" tabIndex={0} role="region" aria-label={t('Latest calls')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Tool')}</th>
            <th scope="col">{t('Outcome')}</th>
            <th scope="col" class="number">
              {t('Duration')}
            </th>
            <th scope="col" class="number wide">
              {t('Size')}
            </th>
            <th scope="col" class="wide">
              {t('Caller')}
            </th>
            <th scope="col" class="clock">
              {t('Time')}
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id} aria-current={call.id === chosen ? 'true' : undefined}>
              <td>
                <a href={linkTo('activity', String(call.id))}>
                  <Breakable text={call.name} />
                </a>
                <br />
                <span class="hint">
                  {call.server}
                  <span class="when"> · {time(call.at)}</span>
                </span>
              </td>
              <td>
                <OutcomeTag outcome={call.outcome} />
              </td>
              <td class="number">{duration(call.ms)}</td>
              <td
                class="number wide"
                title={t('{sent_chars} characters sent, {answer_chars} received', {
                  sent_chars: call.sent_chars,
                  answer_chars: call.answer_chars,
                })}
              >
                {chars(call.sent_chars + call.answer_chars)}
              </td>
              <td class="hint wide">{call.client ?? call.caller}</td>
              <td class="hint clock">{time(call.at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
