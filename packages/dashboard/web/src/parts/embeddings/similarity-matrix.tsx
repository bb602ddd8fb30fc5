import { decimal } from '../../lib/format.ts';
import { dot } from '../../lib/map/project.ts';
import { t } from '../../lib/texts.ts';
import type { Embedded } from '../../pages/embeddings.tsx';

/** Each text against each: the darker, the more alike. */
export function SimilarityMatrix({ embedded: { texts, vectors } }: { embedded: Embedded }) {
  return (
    <section>
      <h2>{t('Similarity')}</h2>
      <div class="table matrix" tabIndex={0} role="region" aria-label={t('Similarity of each text to each')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Text')}</th>
              {texts.map((text, index) => (
                <th scope="col" key={index} title={text}>
                  {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {texts.map((text, row) => (
              <tr key={row}>
                <th scope="row">
                  {row + 1}. {text.slice(0, 40)}
                </th>
                {vectors.map((vector, column) => {
                  const score = dot(vector, vectors[row]!);
                  return (
                    <td
                      key={column}
                      class={score > 0.6 ? 'strong' : ''}
                      style={{ '--heat': `${Math.round(Math.max(0, score) * 45)}%` }}
                    >
                      {decimal(score, 2)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
