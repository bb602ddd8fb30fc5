/** What each further tool for the same step is worth less, so that every step of a request gets its tools. */
const PER_FURTHER_TOOL = 0.06;
/** A tool that fits another step nearly as well as that step's best serves both. */
const SERVES_TOO = 0.02;

/**
 * The best candidates over all steps, best first, as indices. `scores[step][candidate]` is NaN where a candidate does not fit.
 */
export function interleave(scores: readonly Float64Array[], limit: number): { index: number; score: number }[] {
  const served = scores.map(() => 0);
  const best = scores.map((row) =>
    row.reduce((most, score) => (Number.isNaN(score) ? most : Math.max(most, score)), 0),
  );
  const isTaken = new Set<number>();
  const queues = scores.map((row) => inOrder(row, limit));
  const picked: { index: number; score: number }[] = [];
  while (picked.length < limit) {
    let choice: { index: number; score: number; worth: number } | undefined;
    queues.forEach((queue, step) => {
      while (queue.length > 0 && isTaken.has(queue[0]!)) queue.shift();
      const [index] = queue;
      if (index === undefined) return;
      const score = scores[step]![index]!;
      const worth = score - served[step]! * PER_FURTHER_TOOL;
      if (!choice || worth > choice.worth) choice = { index, score, worth };
    });
    if (!choice) break;
    const { index, score } = choice;
    isTaken.add(index);
    picked.push({ index, score });
    scores.forEach((row, step) => {
      if (row[index]! >= best[step]! - SERVES_TOO || queues[step]![0] === index) served[step]!++;
    });
  }
  return picked;
}

/** The first candidates of a step: no more than `limit` can be picked from it. */
function inOrder(row: Float64Array, limit: number): number[] {
  return [...row.keys()]
    .filter((index) => !Number.isNaN(row[index]))
    .sort((a, b) => row[b]! - row[a]!)
    .slice(0, limit * 3);
}
