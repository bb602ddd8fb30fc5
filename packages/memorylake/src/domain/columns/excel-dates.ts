const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 47]);
/** `[h]:mm:ss` */
const BUILT_IN_DURATION = 46;
const DAY_SECONDS = 86_400;
/** 31 December 9999 */
const LAST_DAY = 2_958_466;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** What a number format shows: a point in time, one with fractions of a second (`ss.000`), hours that go on beyond a day (`[h]:mm`), or no time. */
export type TimeFormat = 'date' | 'instant' | 'duration' | undefined;

/** A format shows time when its code has y, m, d, h or s outside quotes and brackets. */
export function timeFormatOf(id: number, code: string | undefined): TimeFormat {
  if (code === undefined) {
    if (id === BUILT_IN_DURATION) return 'duration';
    return BUILT_IN_DATES.has(id) || (id >= 50 && id <= 58) ? 'date' : undefined;
  }
  const plain = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*./gi, '');
  if (/general|standard/i.test(plain)) return undefined;
  if (/\[[hms]+\]/i.test(plain)) return 'duration';
  if (/s[.,]0/i.test(plain)) return 'instant';
  return /[ymdhs]/i.test(plain) ? 'date' : undefined;
}

/** Excel's day number as text: `2024-05-01`, `2024-05-01 13:00:00`, only a time for a number below one, or `36:00:00`. */
export function excelTime(serial: number, format: TimeFormat, uses1904: boolean): string | number {
  if (format === undefined || !Number.isFinite(serial) || serial > LAST_DAY) return serial;
  if (format === 'duration') return durationText(serial);
  if (serial < 0) return serial;
  // Excel believes in 29 February 1900; days before it are one off.
  const shifted = !uses1904 && serial > 0 && serial < 60 ? serial + 1 : serial;
  // Excel shows the nearest second, or the nearest part of it.
  const unit = format === 'instant' ? 1 : 1000;
  const milliseconds = Math.round((shifted * DAY_SECONDS * 1000) / unit) * unit;
  const iso = new Date((uses1904 ? EPOCH_1904 : EPOCH_1900) + milliseconds).toISOString();
  const time = iso.slice(11, milliseconds % 1000 === 0 ? 19 : 23);
  if (serial < 1 && !uses1904) return time;
  return serial % 1 === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}

function durationText(days: number): string {
  const seconds = Math.round(Math.abs(days) * DAY_SECONDS);
  const two = (value: number) => String(value).padStart(2, '0');
  const sign = days < 0 && seconds > 0 ? '-' : '';
  return `${sign}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
