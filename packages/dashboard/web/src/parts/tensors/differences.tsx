import type { CheckpointComparison, TensorComparison } from '../../lib/compare.ts';
import { number } from '../../lib/format.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t } from '../../lib/texts.ts';
import { DataTable } from '../data-table.tsx';

const shown = (value: unknown) => (typeof value === 'number' ? number(value) : String(value ?? '–'));

export function TensorDifferences({ comparison: { a, b, figures } }: { comparison: TensorComparison }) {
  if (!figures) return <p class="hint">{t('Their shapes differ, so their values cannot be compared one by one.')}</p>;
  const { largest, ...rest } = figures;
  return (
    <>
      <dl class="figures">
        {Object.entries(rest).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{shown(value)}</dd>
          </div>
        ))}
      </dl>
      {largest.length > 0 && (
        <>
          <h2>{t('Largest differences')}</h2>
          <DataTable
            label={t('Largest differences')}
            columns={['index', ...namesOf(a, b), 'difference']}
            rows={largest.map((spot) => [spot.index.join(', '), shown(spot.a), shown(spot.b), shown(spot.difference)])}
          />
        </>
      )}
    </>
  );
}

/** Two versions of one name are told apart. */
function namesOf(...both: readonly TensorComparison['a'][]): readonly string[] {
  const isOneName = new Set(both.map(({ name }) => name)).size === 1;
  return both.map(({ name, version }) => (isOneName ? `${name}@${version}` : name));
}

export function CheckpointDifferences({ comparison }: { comparison: CheckpointComparison }) {
  const { counts, changed, added, removed, renamed } = comparison;
  const list = (title: string, names: readonly string[], total = 0) =>
    names.length > 0 && (
      <details>
        <summary>
          {title} <span class="hint">{plural(total, 'tensor')}</span>
        </summary>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </details>
    );
  const names = (items: readonly { name: string }[]) => items.map(({ name }) => name);
  return (
    <>
      <dl class="figures">
        {Object.entries(counts).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
      {changed.length > 0 && (
        <div class="table" tabIndex={0} role="region" aria-label={t('Changed, the largest change first')}>
          <table>
            <thead>
              <tr>
                {['tensor', t('relative norm'), t('max abs'), t('new NaN')].map((title, at) => (
                  <th scope="col" key={title} class={at > 0 ? 'number' : ''}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changed.map(({ key, a, b, relative_norm: norm, max_abs: most, new_nan: nan }) => (
                <tr key={b.uuid}>
                  <td>
                    <a href={`${linkTo('tensors', 'compare')}?${new URLSearchParams({ a: a.uuid, b: b.uuid })}`}>
                      {key}
                    </a>
                  </td>
                  {[norm, most, nan].map((value, at) => (
                    <td class="number" key={at}>
                      {shown(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list(t('Added'), names(added), counts.added)}
      {list(t('Removed'), names(removed), counts.removed)}
      {list(
        t('Renamed'),
        renamed.map(({ from, to }) => `${from} → ${to}`),
        counts.renamed,
      )}
    </>
  );
}
