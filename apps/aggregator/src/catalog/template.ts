const compiled = new Map<string, RegExp>();

/** Whether a URI could have been made from a template: each `{variable}` stands for something, `{+path}` also for slashes. */
export function matchesTemplate(template: string, uri: string): boolean {
  let pattern = compiled.get(template);
  if (!pattern) {
    pattern = compile(template);
    compiled.set(template, pattern);
  }
  return pattern.test(uri);
}

function compile(template: string): RegExp {
  const parts = template.split(/(\{[^}]*\})/).map((part) => {
    if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const operator = part[1] ?? '';
    if (operator === '?' || operator === '&') return '(?:[?&][^#]*)?';
    if (operator === '+' || operator === '#') return '.+';
    if (operator === '/') return '(?:/[^?#]*)?';
    return part.endsWith('*}') ? '.+' : '[^/?#]+';
  });
  return new RegExp(`^${parts.join('')}$`);
}
