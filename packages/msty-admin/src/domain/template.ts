export const TEMPLATE_CATEGORIES = ['general', 'coding', 'writing', 'analysis', 'creative'] as const;

const PLACEHOLDER = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu;

/** The variables of a template, each once, in order of appearance. */
export function placeholdersIn(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ''))];
}

export function missingVariables(template: string, values: Readonly<Record<string, unknown>>): string[] {
  return placeholdersIn(template).filter((name) => !Object.hasOwn(values, name) || values[name] == null);
}

/** One pass: a value that itself contains `{{x}}` stays as it was given. */
export function fillTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? asText(values[name]) : whole,
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
