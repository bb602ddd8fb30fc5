import type { Day } from '../../lib/msty.ts';
import { plural, t } from '../../lib/texts.ts';

const WIDTH = 600;
const HEIGHT = 120;

/** Calls day by day as columns; a table holds the same for those who cannot see them. */
export function DayChart({ days }: { days: readonly Day[] }) {
  const most = Math.max(...days.map(({ calls }) => calls), 1);
  const step = WIDTH / days.length;
  const first = days[0]?.day;
  const last = days.at(-1)?.day;
  return (
    <figure class="days">
      <figcaption class="hint">
        {t('{calls} in all, at most {most} on a day', {
          calls: plural(
            days.reduce((sum, { calls }) => sum + calls, 0),
            'call',
          ),
          most,
        })}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('Calls each day from {first} to {last}', { first, last })}
      >
        {days.map(({ day, calls, total_tokens: tokens }, index) => {
          const height = (calls / most) * HEIGHT;
          return (
            <rect key={day} x={index * step + 2} y={HEIGHT - height} width={step - 4} height={height} rx="2">
              <title>{`${day}: ${plural(calls, 'call')}, ${plural(tokens, 'token')}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="hint" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <div class="hidden">
        <table>
          <caption>{t('Calls each day')}</caption>
          <tbody>
            {days
              .filter(({ calls }) => calls > 0)
              .map(({ day, calls, total_tokens: tokens }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{plural(calls, 'call')}</td>
                  <td>{plural(tokens, 'token')}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
