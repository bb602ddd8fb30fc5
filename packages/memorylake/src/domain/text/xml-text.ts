const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** Text of an XML element or attribute as it was meant. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (name[0] !== '#') return NAMED.get(name) ?? whole;
    const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Attributes of a tag's inside, `a="1" b='2'`, by name. */
export function attributesOf(tag: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const match of tag.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found[match[1]!] = unescapeXml(match[2] ?? match[3] ?? '');
  }
  return found;
}

/** The tags of one local name, whatever their prefix, each as its attributes. */
export function tagsOf(xml: string, name: string): Record<string, string>[] {
  return [...xml.matchAll(new RegExp(`<(?:[\\w-]+:)?${name}(\\s[^>]*)?/?>`, 'g'))].map((match) =>
    attributesOf(match[1] ?? ''),
  );
}
