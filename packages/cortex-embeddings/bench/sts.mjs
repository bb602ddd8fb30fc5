// node bench/sts.mjs [FILE]: Spearman correlation × 100 on an STS-B file, int8 and fp32. The file may be a CSV of
// sentence1,sentence2,score or the original sts-test.csv; without one it is the English test part, whose targets these are.
import { readFileSync } from 'node:fs';
import { createEmbedder } from '../dist/index.js';
import { fetchTestPart, stsRows } from './_sts-rows.mjs';
import { modelDir, report } from './_tools.mjs';

const path = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? fetchTestPart();
if (!path) {
  console.log('sts: not measured, the test part cannot be fetched here; give the path of an STS-B file');
  process.exit();
}
const rows = stsRows(readFileSync(path, 'utf8'));
for (const [precision, target] of [
  ['int8', 81.5],
  ['fp32', 82],
]) {
  const embedder = createEmbedder({ precision, workers: 2, modelDir });
  const vectors = await embedder.embed(rows.flatMap((row) => row.slice(0, 2)));
  const cosines = rows.map((_, i) => dot(vectors[2 * i], vectors[2 * i + 1]));
  const spearman = 100 * pearson(ranks(cosines), ranks(rows.map(([, , score]) => score)));
  report(`sts-${precision}`, { pairs: rows.length, spearman, target, holds: spearman >= target });
  await embedder.close();
}

function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Equal values share the mean of their places. */
function ranks(values) {
  const order = values.map((value, i) => [value, i]).sort(([a], [b]) => a - b);
  const result = new Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && order[end][0] === order[start][0]) end++;
    for (let k = start; k < end; k++) result[order[k][1]] = (start + end - 1) / 2;
    start = end;
  }
  return result;
}

function pearson(a, b) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += (a[i] - meanA) * (b[i] - meanB);
    squareA += (a[i] - meanA) ** 2;
    squareB += (b[i] - meanB) ** 2;
  }
  return product / Math.sqrt(squareA * squareB);
}
