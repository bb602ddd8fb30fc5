export type ToolNames = 'original' | 'underscore';

/** A name that every client accepts: letters, digits, underscore and hyphen. */
export function safeToolName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Finds things by their own name or by its safe spelling. */
export function indexByName<T extends { readonly name: string }>(items: readonly T[]): (name: string) => T | undefined {
  const byName = new Map<string, T>();
  for (const item of items) byName.set(safeToolName(item.name), item);
  for (const item of items) byName.set(item.name, item);
  return (name) => byName.get(name);
}
