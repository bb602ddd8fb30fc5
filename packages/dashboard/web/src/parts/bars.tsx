/** A few figures as bars, each with its number. */
export function Bars({
  title,
  entries,
  empty,
}: {
  title: string;
  entries: readonly (readonly [string, number])[];
  empty: string;
}) {
  const most = Math.max(...entries.map(([, value]) => value), 1);
  return (
    <section class="card">
      <h2>{title}</h2>
      {entries.length === 0 && <p class="hint">{empty}</p>}
      <dl class="bars">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="bar" style={{ width: `${(value / most) * 100}%` }} /> {value.toLocaleString('en')}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
