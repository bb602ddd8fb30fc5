import { useCallback, useState } from 'preact/hooks';
import type { CheckAnswer } from '../../lib/compare.ts';
import { number } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks.ts';
import { ask } from '../../lib/mcp.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

/** What is wrong with the values of tensors, the worst first. */
export function CheckView() {
  const [pattern, setPattern] = useState('');
  const act = useCallback(
    (signal: AbortSignal, names: string) =>
      ask<CheckAnswer>('check_tensors', names ? { pattern: names } : {}, { signal }),
    [],
  );
  const check = useAction(act);
  return (
    <section aria-label={t('Check')}>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void check.run(pattern.trim());
        }}
      >
        <label>
          {tx('Names to check <span>a name and all below it, or a pattern with *; all unless given</span>', {
            span: (text) => <span class="hint">{text}</span>,
          })}
          <input value={pattern} onInput={(event) => setPattern(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={check.isRunning}>
          {check.isRunning ? t('Checking …') : t('Check')}
        </button>
        {check.isRunning && (
          <button type="button" onClick={check.cancel}>
            {t('Cancel')}
          </button>
        )}
      </form>
      {!check.value && !check.error && (
        <p class="hint">
          {t(
            'Every value is read: NaN, infinities, exploded norms, zeros, constants, denormals and types wider than needed are listed.',
          )}
        </p>
      )}
      {check.error && <Failure error={check.error} />}
      {check.value && <Findings answer={check.value} />}
    </section>
  );
}

function Findings({ answer: { checked, total_findings: total, findings, message } }: { answer: CheckAnswer }) {
  return (
    <>
      <p class="notice" role="status">
        {message}
      </p>
      {findings.length > 0 && (
        <div class="table tall" tabIndex={0} role="region" aria-label={t('Findings')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Tensor')}</th>
                <th scope="col">{t('Finding')}</th>
                <th scope="col" class="number">
                  {t('Count')}
                </th>
              </tr>
            </thead>
            <tbody>
              {findings.map(({ uuid, name, kind, count, message: words }) => (
                <tr key={`${uuid} ${kind}`}>
                  <td>
                    <a href={linkTo('tensors', uuid)}>{name}</a>
                  </td>
                  <td title={words}>{words}</td>
                  <td class="number">{number(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {findings.length < total && (
        <p class="hint">
          {t('The first {findings} of {findings2} in {tensors}.', {
            findings: findings.length,
            findings2: plural(total, 'finding'),
            tensors: plural(checked, 'tensor'),
          })}
        </p>
      )}
    </>
  );
}
