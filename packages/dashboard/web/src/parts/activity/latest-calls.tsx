import type { ActivityState } from '../../lib/activity.ts';
import { duration, time } from '../../lib/format.ts';
import { useAdmin } from '../../lib/hooks.ts';
import { VIEWER } from '../../lib/mcp.ts';
import { linkTo } from '../../lib/route.ts';
import type { Status } from '../../lib/status.ts';
import { t, tx } from '../../lib/texts.ts';
import { Breakable } from '../breakable.tsx';
import { OutcomeTag } from './outcome-tag.tsx';

const MOST = 8;

/** What clients and people called last, without what the page itself asks; absent for callers who may not administer and where calls are not recorded. */
export function LatestCalls({ status }: { status: Status }) {
  const { value, error } = useAdmin<ActivityState>('activity', { limit: MOST, except_client: VIEWER }, [status], {
    keepsValue: true,
  });
  if ((error && !value) || value?.capacity === 0) return null;
  const calls = value?.calls ?? [];
  return (
    <section class="card latest-calls" aria-label={t('Latest calls')}>
      <h2>
        {t('Latest calls')} {calls.length > 0 && <a href={linkTo('activity')}>{t('All calls')}</a>}
      </h2>
      {value && calls.length === 0 && (
        <p class="hint">
          {tx('Calls of your clients appear here as they happen. <a>Try a tool</a> or <a2>connect a client</a2>.', {
            a: (text) => <a href="#/tools">{text}</a>,
            a2: (text) => <a href="#/connect">{text}</a>,
          })}
        </p>
      )}
      <ul>
        {calls.map(({ id, name, server, client, caller, outcome, ms, at }) => (
          <li key={id}>
            <a href={linkTo('activity', String(id))}>
              <Breakable text={name} />
            </a>
            <span class="figure">
              {outcome !== 'ok' && <OutcomeTag outcome={outcome} />} {duration(ms)}
            </span>
            <span class="hint">
              {server} · {client ?? caller}
            </span>
            <span class="hint figure">{time(at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
