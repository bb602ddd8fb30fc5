/** Reads `scheme://{a}/x/{b}` out of a URI; a variable stands for one path segment. */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  const { pattern, names } = compile(template);
  const found = pattern.exec(uri);
  if (!found) return undefined;
  const variables: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = decode(found[index + 1] ?? '');
    if (value === undefined) return undefined;
    variables[name] = value;
  }
  return variables;
}

export function hasVariables(template: string): boolean {
  return template.includes('{');
}

const compiled = new Map<string, { pattern: RegExp; names: string[] }>();

function compile(template: string) {
  let entry = compiled.get(template);
  if (!entry) {
    const names: string[] = [];
    const source = template.split(/(\{[^}]+\})/).map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part.slice(1, -1));
      return '([^/?#]+)';
    });
    entry = { pattern: new RegExp(`^${source.join('')}$`), names };
    compiled.set(template, entry);
  }
  return entry;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
