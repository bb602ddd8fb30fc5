/** SQL for a column's time in seconds since 1970, whether it holds seconds, milliseconds or a date as text. */
export function epochSql(column: string): string {
  const number = `(CASE WHEN abs(CAST(${column} AS REAL)) > 100000000000 THEN CAST(${column} AS REAL) / 1000.0 ELSE CAST(${column} AS REAL) END)`;
  return `(CASE WHEN typeof(${column}) IN ('integer','real') THEN ${number} WHEN ${column} NOT GLOB '*[^0-9.]*' AND ${column} <> '' THEN ${number} ELSE CAST(strftime('%s', ${column}) AS REAL) END)`;
}

/** The same for one value that was read, as ISO 8601; null when it is no time. */
export function isoTime(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  const figure = typeof value === 'string' && /^[\d.]+$/.test(value) ? Number(value) : value;
  const date =
    typeof figure === 'number'
      ? new Date(Math.abs(figure) > 1e11 ? figure : figure * 1000)
      : new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(String(figure)) ? String(figure) : `${String(figure).replace(' ', 'T')}Z`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
