import { language } from './texts.ts';

const numbersWith = (options: Intl.NumberFormatOptions) => {
  const { format } = new Intl.NumberFormat(language, options);
  return format;
};
const fixed = [0, 1, 2].map((digits) =>
  numbersWith({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }),
);
const threeDigits = numbersWith({ minimumSignificantDigits: 3, maximumSignificantDigits: 3, useGrouping: false });
const fiveDigits = numbersWith({ maximumSignificantDigits: 5 });
const whole = numbersWith({ maximumFractionDigits: 0 });

export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : threeDigits(value)} ${units[unit]}`;
}

export function duration(ms: number): string {
  if (ms < 1) return `${decimal(ms * 1000, 0)} µs`;
  if (ms < 1000) return `${decimal(ms, ms < 10 ? 1 : 0)} ms`;
  if (ms < 60_000) return `${decimal(ms / 1000, 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

export function number(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return whole(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : fiveDigits(value);
}

/** With that many digits behind the decimal point. */
export function decimal(value: number, digits: 0 | 1 | 2): string {
  return fixed[digits]!(value);
}

export function time(at: string | number): string {
  return new Date(at).toLocaleTimeString(language, { hourCycle: 'h23' });
}

export function day(at: string): string {
  return new Date(at).toLocaleDateString(language, { dateStyle: 'medium' });
}

export function dayAndTime(at: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}
