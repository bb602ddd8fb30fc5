/** A value as Python prints it, for the sentences of the original document. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return reprText(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : value < 0 ? '-inf' : 'nan';
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const entries = Object.entries(value as Record<string, unknown>);
  return `{${entries.map(([key, entry]) => `${reprText(key)}: ${pythonRepr(entry)}`).join(', ')}}`;
}

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let body = '';
  for (const sign of text) {
    if (sign in NAMED) body += NAMED[sign];
    else if (sign === quote) body += `\\${sign}`;
    else if (/[\p{C}\p{Zl}\p{Zp}]/u.test(sign) || (sign !== ' ' && /\p{Zs}/u.test(sign)))
      body += escaped(sign.codePointAt(0)!);
    else body += sign;
  }
  return `${quote}${body}${quote}`;
}

function escaped(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
