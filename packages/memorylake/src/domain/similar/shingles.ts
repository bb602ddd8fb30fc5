const WORDS = 4;

/** Every run of four words, without regard to case, as numbers. */
export function shingles(text: string): Set<number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new Set<number>();
  const last = Math.max(words.length - WORDS, 0);
  for (let at = 0; at <= last && words.length > 0; at++) found.add(hashOf(words.slice(at, at + WORDS).join(' ')));
  return found;
}

/** Share of the runs that two texts have in common, of all that either has. */
export function resemblance(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0;
  for (const run of one) if (other.has(run)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return hash >>> 0;
}
