import { useCallback, useEffect } from 'preact/hooks';
import { admin } from '../../lib/admin.ts';
import { useAction } from '../../lib/hooks.ts';
import type { Examination } from '../../lib/settings.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { CopyButton } from '../copy-button.tsx';
import { Failure } from '../states.tsx';

/** A repair that can be run as it stands; another one is a sentence. */
const COMMAND = /^(node|npx|npm|atoll|sudo|apt|brew|pip|docker) /;

/** Checks everything, and says how to repair what is wrong. */
export function Doctor() {
  const act = useCallback((signal: AbortSignal) => admin<Examination>('doctor', {}, { signal }), []);
  const examination = useAction(act);
  useEffect(() => {
    void examination.run();
  }, []);
  const findings = examination.value?.findings ?? [];
  const problems = findings.filter(({ is_fine: isFine }) => !isFine);
  const fine = findings.filter(({ is_fine: isFine }) => isFine);
  return (
    <section class="card" aria-label={t('Health')}>
      <h2>
        {t('Health')}
        {examination.value && (
          <span class={`tag ${problems.length === 0 ? 'good' : 'warn'}`}>
            {problems.length === 0 ? t('✓ everything works') : plural(problems.length, 'problem')}
          </span>
        )}
      </h2>
      {examination.isRunning && (
        <p role="status">
          <span class="spinner" aria-hidden="true" /> {t('Checking servers and sandboxes …')}
        </p>
      )}
      {examination.error && <Failure error={examination.error} />}
      <ul class="findings">
        {problems.map(({ what, detail, repair }) => (
          <li class="notice bad" key={what}>
            <strong>{what}</strong> {detail}
            {repair && (
              <p>
                {COMMAND.test(repair) ? (
                  <>
                    {tx('Repair: {repair}', { repair: <code>{repair}</code> })}{' '}
                    <CopyButton label={t('Copy')} text={repair} />
                  </>
                ) : (
                  t('Repair: {repair}', { repair })
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
      {fine.length > 0 && (
        <details open={problems.length === 0}>
          <summary>{t('{checks} passed', { checks: plural(fine.length, 'check') })}</summary>
          <ul class="passed">
            {fine.map(({ what, detail }) => (
              <li key={what}>
                <span class="tick" aria-hidden="true">
                  ✓{' '}
                </span>
                {what} <span class="hint">{detail}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div class="actions">
        <button type="button" disabled={examination.isRunning} onClick={() => void examination.run()}>
          {t('Check again')}
        </button>
      </div>
    </section>
  );
}
