type Rows = readonly (readonly (string | number | null)[])[];

/** Rows as the text of a file: objects where its name ends in `.json`, else CSV. */
export function writeRows(name: string, columns: readonly string[], rows: Rows): string {
  if (/\.json$/i.test(name)) {
    return JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))),
    );
  }
  return [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

const quoted = (cell: string | number | null): string => {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
