export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The figure in words, with its unit. */
  readonly text: string;
}

/** A few figures as bars, each with its number. */
export function Bars({ bars, label, tone = 'first' }: { bars: readonly Bar[]; label: string; tone?: string }) {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <dl class={`bars ${tone}`} aria-label={label}>
      {bars.map(({ name, value, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ width: `${(value / most) * 100}%` }} />
            </span>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
