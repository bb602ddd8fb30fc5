/** A run of pieces that both texts have, or only one of them. */
export interface DiffPart {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Above this many comparisons the middle is shown as replaced. */
const MAX_CELLS = 400_000;

/** Which words of a text were taken out and which were put in. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  const [a, b] = [piecesOf(before), piecesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return joined([
    { kind: 'same', text: a.slice(0, start).join('') },
    ...(from.length * to.length > MAX_CELLS ? replaced(from, to) : compared(from, to)),
    { kind: 'same', text: a.slice(a.length - end).join('') },
  ]);
}

/** Words, spaces and signs, each a piece of its own. */
function piecesOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function replaced(from: readonly string[], to: readonly string[]): readonly DiffPart[] {
  return [
    { kind: 'gone', text: from.join('') },
    { kind: 'new', text: to.join('') },
  ];
}

/** By the longest common subsequence. */
function compared(a: readonly string[], b: readonly string[]): readonly DiffPart[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: 'same', text: a[i]! });
      i++;
      j++;
    } else if (j === b.length || (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      parts.push({ kind: 'gone', text: a[i]! });
      i++;
    } else {
      parts.push({ kind: 'new', text: b[j]! });
      j++;
    }
  }
  return parts;
}

/** Neighbours of one kind become one. A space between two replaced words is replaced with them, so that phrases stay together. */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const runs: DiffPart[] = [];
  let [gone, fresh] = ['', ''];
  const flush = () => {
    if (gone) runs.push({ kind: 'gone', text: gone });
    if (fresh) runs.push({ kind: 'new', text: fresh });
    [gone, fresh] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    const isBetween = gone && fresh && text.trim() === '' && (parts[index + 1]?.kind ?? 'same') !== 'same';
    if (kind === 'gone' || (kind === 'same' && isBetween)) gone += text;
    if (kind === 'new' || (kind === 'same' && isBetween)) fresh += text;
    if (kind !== 'same' || isBetween || text === '') continue;
    flush();
    const last = runs.at(-1);
    if (last?.kind === 'same') runs[runs.length - 1] = { kind, text: last.text + text };
    else runs.push({ kind, text });
  }
  flush();
  return runs;
}
