import { useCallback, useState } from 'preact/hooks';
import type { CheckAnswer } from '../../lib/compare.ts';
import { number, plural } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks.ts';
import { ask } from '../../lib/mcp.ts';
import { linkTo } from '../../lib/route.ts';
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
    <section aria-label="Check">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void check.run(pattern.trim());
        }}
      >
        <label>
          Names to check <span class="hint">a name and all below it, or a pattern with *; all unless given</span>
          <input value={pattern} onInput={(event) => setPattern(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={check.isRunning}>
          {check.isRunning ? 'Checking …' : 'Check'}
        </button>
        {check.isRunning && (
          <button type="button" onClick={check.cancel}>
            Cancel
          </button>
        )}
      </form>
      {!check.value && !check.error && (
        <p class="hint">
          Every value is read: NaN, infinities, exploded norms, zeros, constants, denormals and types wider than needed
          are listed.
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
        <div class="table tall" tabIndex={0} role="region" aria-label="Findings">
          <table>
            <thead>
              <tr>
                <th scope="col">Tensor</th>
                <th scope="col">Finding</th>
                <th scope="col" class="number">
                  Count
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
          The first {findings.length} of {plural(total, 'finding')} in {plural(checked, 'tensor')}.
        </p>
      )}
    </>
  );
}
