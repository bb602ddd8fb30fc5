export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Round numbers across a range, about `wanted` of them. */
export function ticksFor(low: number, high: number, wanted: number): Tick[] {
  const step = roundStep((high - low) / Math.max(1, wanted));
  // A range of no width, of more than a double holds, or too narrow to count through.
  if (!(high > low) || !Number.isFinite(step) || Math.max(Math.abs(low), Math.abs(high)) / step > 1e12) {
    return [...new Set([low, high])].map((value) => ({ value, label: numberText(value) }));
  }
  const values: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) values.push(i * step);
  return values.map((value) => ({ value, label: tickText(value, step, Math.max(Math.abs(low), Math.abs(high))) }));
}

/** Where a value lies between two others, from 0 to 1; halved first, so that no range is too wide. */
export function shareOf(value: number, low: number, high: number): number {
  return high === low ? 0.5 : (value / 2 - low / 2) / (high / 2 - low / 2);
}

/** Places along an axis of `count` cells; whole numbers only. */
export function indexTicks(count: number, wanted: number): number[] {
  const step = Math.max(1, roundStep((count - 1) / Math.max(1, wanted)));
  const whole = Math.max(1, Math.round(step));
  return Array.from({ length: Math.floor((count - 1) / whole) + 1 }, (_, i) => i * whole);
}

/** A figure for a reader: four digits, with an exponent where that is shorter. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'inf' : '−inf';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-3 ? exponent(value.toExponential(3)) : String(Number(value.toPrecision(4)));
  return text.replace('-', '−');
}

function tickText(value: number, step: number, largest: number): string {
  if (Math.abs(value) < step * 1e-6) return '0';
  if (largest >= 1e6 || step < 1e-4) {
    const digits = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + decimalsOf(step));
    return exponent(value.toExponential(Math.min(digits, 10))).replace('-', '−');
  }
  return value.toFixed(Math.max(0, decimalsOf(step))).replace('-', '−');
}

/** Behind the decimal point, or negative before it; a step of 2.5 has one more than its size tells. */
function decimalsOf(step: number): number {
  const power = Math.floor(Math.log10(step) + 1e-9);
  const leading = step / 10 ** power;
  return Math.abs(leading - Math.round(leading)) < 1e-6 ? -power : 1 - power;
}

function exponent(text: string): string {
  const [mantissa, power] = text.split('e');
  const short = mantissa!.includes('.') ? mantissa!.replace(/\.?0+$/, '') : mantissa!;
  return `${short}e${Number(power)}`.replaceAll('e-', 'e−');
}

function roundStep(rough: number): number {
  if (!(rough > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const leading = rough / power;
  return power * (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 2.5 ? 2.5 : leading <= 5 ? 5 : 10);
}
