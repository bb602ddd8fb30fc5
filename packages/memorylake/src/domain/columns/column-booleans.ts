/** Reads `true` and `false` as programs write them; `yes` and `1` are words and numbers. */
export function readBoolean(cell: string): boolean | undefined {
  if (cell.length > 8) return undefined;
  const text = cell.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
