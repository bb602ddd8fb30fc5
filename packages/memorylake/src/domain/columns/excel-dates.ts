const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47,
]);
const DAY_MS = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** Whether a number format shows days or times: its code has y, m, d, h or s outside quotes and brackets. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN_DATES.has(id) || (id >= 50 && id <= 58);
  const plain = code.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.|\*./gi, '');
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain);
}

/** Excel's day number as ISO text; a fraction of a day becomes a time, a number below one only a time. */
export function excelDate(serial: number, uses1904: boolean): string | number {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return serial;
  // Excel believes in 29 February 1900; days before it are one off.
  const shifted = !uses1904 && serial > 0 && serial < 60 ? serial + 1 : serial;
  const iso = new Date((uses1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(shifted * DAY_MS)).toISOString();
  if (serial < 1 && !uses1904) return iso.slice(11, 19);
  return serial % 1 === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
