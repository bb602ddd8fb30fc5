/** A few recent figures as a line; the words beside it carry the meaning. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(...values, 1e-9);
  const step = 96 / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, index) => `${(2 + index * step).toFixed(1)},${(22 - (value / most) * 19).toFixed(1)}`,
  );
  return (
    <svg class="sparkline" viewBox="0 0 100 24" role="img" aria-label={label} preserveAspectRatio="none">
      {values.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  );
}
