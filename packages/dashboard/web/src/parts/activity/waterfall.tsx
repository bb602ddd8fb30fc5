import { type CallSummary, isRefusal } from '../../lib/admin.ts';
import { duration } from '../../lib/format.ts';
import { type Loaded, useAdmin } from '../../lib/hooks.ts';
import { timelineOf } from '../../lib/programs/timeline.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t } from '../../lib/texts.ts';
import { Failure, Loading } from '../states.tsx';
import { OutcomeTag } from './outcome-tag.tsx';

/** As many as one request lists; a program makes no more unless it is allowed to. */
const MOST = 1_000;

/** The calls of one program: when each began, how long it took, and which were made at the same time. */
export function Waterfall({ program }: { program: number }) {
  const activity = useAdmin<{ calls: readonly CallSummary[] }>('activity', { program, limit: MOST }, [program]);
  // Whoever may not administer sees no activity.
  if (activity.failure && isRefusal(activity.failure)) return null;
  return (
    <>
      <h3>{t('Calls of the program')}</h3>
      <Calls activity={activity} />
    </>
  );
}

function Calls({ activity }: { activity: Loaded<{ calls: readonly CallSummary[] }> }) {
  if (activity.error) return <Failure error={activity.error} />;
  if (!activity.value) return <Loading what={t('the calls of the program')} />;
  const { bars, totalMs } = timelineOf(activity.value.calls);
  if (bars.length === 0) return <p class="hint">{t('The program made no call, or none that is still recorded.')}</p>;
  const share = (ms: number) => `${(100 * ms) / Math.max(totalMs, 1)}%`;
  return (
    <>
      <p class="hint">
        {t('{calls} in {ms}', { calls: plural(bars.length, 'call'), ms: duration(totalMs) })}
        {activity.value.calls.length === MOST && ` ${t('Only the latest {most} are shown.', { most: MOST })}`}
      </p>
      <ol class="waterfall" tabIndex={0} aria-label={t('Calls of the program')}>
        {bars.map(({ call, fromMs }) => (
          <li key={call.id}>
            <a href={linkTo('activity', String(call.id))}>{call.name}</a>
            <span class="track" title={t('begins after {ms}', { ms: duration(fromMs) })}>
              <span
                class={`bar ${call.outcome}`}
                style={{ '--from': share(Math.max(0, fromMs)), '--size': share(call.ms) }}
              />
            </span>
            <span class="number">{duration(call.ms)}</span>
            {call.outcome !== 'ok' && <OutcomeTag outcome={call.outcome} />}
          </li>
        ))}
      </ol>
    </>
  );
}
