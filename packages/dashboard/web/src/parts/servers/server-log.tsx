import { useEffect, useState } from 'preact/hooks';
import { useAdmin, useRested } from '../../lib/hooks.ts';
import { t } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

const AGAIN_MS = 2_000;

/** The last lines a server wrote to stderr, renewed while the page is seen. */
export function ServerLog({ name }: { name: string }) {
  const [filter, setFilter] = useState('');
  const [round, setRound] = useState(0);
  const wanted = useRested(filter, 180);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRound((now) => now + 1), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const log = useAdmin<{ lines: readonly string[] }>('server_log', { key: name, filter: wanted }, [
    name,
    wanted,
    round,
  ]);
  const lines = log.value?.lines ?? [];
  return (
    <>
      <h3>{t('Log')}</h3>
      <input
        type="search"
        aria-label={t('Filter the log')}
        placeholder={t('Only lines with …')}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {log.failure && <Failure error={log.failure.message} />}
      {lines.length > 0 ? (
        <pre class="code log" tabIndex={0}>
          {lines.join('\n')}
        </pre>
      ) : (
        log.value && (
          <p class="hint">
            {wanted
              ? t('No line has this.')
              : t('It has written nothing to its stderr. What it writes there appears here.')}
          </p>
        )
      )}
    </>
  );
}
