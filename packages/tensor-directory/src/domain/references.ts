/** What a user means by a name: an id, or a name with perhaps a version. */
export type Reference =
  | { readonly kind: 'uuid'; readonly uuid: string }
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly versioned?: { readonly name: string; readonly version: number };
    };

/**
 * Whatever parses as a uuid is one, in capitals, without dashes, in braces or as a URN, and is never tried as a name.
 * `name@3` may be version 3 of `name`, or a name that happens to look so; the exact name comes first.
 */
export function parseReference(text: string): Reference {
  const uuid = parseUuid(text);
  if (uuid) return { kind: 'uuid', uuid };
  const [, name, digits] = /^(.+)@([1-9]\d{0,8})$/s.exec(text) ?? [];
  return name && digits
    ? { kind: 'name', name: text, versioned: { name, version: Number(digits) } }
    : { kind: 'name', name: text };
}

export function parseUuid(text: string): string | undefined {
  const hex = text
    .trim()
    .replace(/^urn:uuid:/i, '')
    .replace(/^\{(.*)\}$/, '$1')
    .replaceAll('-', '')
    .toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
