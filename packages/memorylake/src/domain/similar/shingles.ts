const WORDS = 4;

/** Every run of four words, without regard to case, as numbers. */
export function shingles(text: string): Set<number> {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(hashOf);
  const found = new Set<number>();
  const last = Math.max(words.length - WORDS, 0);
  for (let at = 0; at <= last && words.length > 0; at++) {
    let run = 0;
    for (let word = at; word < Math.min(at + WORDS, words.length); word++) run = Math.imul(run, 31) + words[word]!;
    found.add(mixed(run));
  }
  return found;
}

/** Share of the runs that two texts have in common, of all that either has. */
export function resemblance(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const run of fewer) if (more.has(run)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return hash;
}

/** Spreads what differs in a few bits over all of them; small integers are also the fastest members of a set. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (once ^ (once >>> 16)) | 0;
}
