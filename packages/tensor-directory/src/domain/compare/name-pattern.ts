/** Tells whether a name is meant, and what the stars in the pattern stand for in it. */
type NameMatcher = (name: string) => string | undefined;

/**
 * `*` stands for any text and `?` for one character. Without either, a pattern means the name itself and everything below it:
 * `model` is `model` and `model.layer1.weight`.
 */
export function nameMatcher(pattern: string): NameMatcher {
  if (!/[*?]/.test(pattern)) {
    return (name) => {
      if (name === pattern) return '';
      return name.startsWith(`${pattern}.`) || name.startsWith(`${pattern}/`)
        ? name.slice(pattern.length + 1)
        : undefined;
    };
  }
  const parts = pattern.split(/([*?])/).filter(Boolean);
  return (name) => matchParts(parts, name);
}

/** Looks at each place of the name once per star, so that no pattern takes long. */
function matchParts(parts: readonly string[], name: string): string | undefined {
  let part = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  const captures: string[] = [];
  const starts: number[] = [];
  while (at < name.length || part < parts.length) {
    const each = parts[part];
    if (each === '*') {
      star = part++;
      resume = at;
      starts[star] = at;
      captures[star] = '';
    } else if (each === '?' && at < name.length) {
      captures[part++] = name[at++]!;
    } else if (each !== undefined && each !== '?' && name.startsWith(each, at)) {
      at += each.length;
      part++;
    } else if (star >= 0 && resume < name.length) {
      resume++;
      captures[star] = name.slice(starts[star], resume);
      part = star + 1;
      at = resume;
    } else return undefined;
  }
  return parts.flatMap((each, i) => (each === '*' || each === '?' ? [captures[i] ?? ''] : [])).join('·');
}
