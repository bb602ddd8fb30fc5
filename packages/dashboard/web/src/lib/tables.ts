export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Text in columns (tabs or bars) as a table; anything else is no table. */
export function tableOf(text: string): Table | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const separator = lines[0]?.includes('\t') ? '\t' : lines[0]?.includes(' | ') ? ' | ' : undefined;
  if (!separator || lines.length < 2) return undefined;
  const [columns = [], ...rows] = lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) => line.replace(/^\| ?| ?\|$/g, '').split(separator));
  return { columns, rows };
}
