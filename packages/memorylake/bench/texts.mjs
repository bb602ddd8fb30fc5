// How much of a document's text is read: words and sequences of five words, against expected texts (docling, markitdown) and
// against the texts of peers for documents that have none. Peers: PyMuPDF for PDF, markitdown for the others.
// --show prints the documents in which a peer finds more.
import { join } from 'node:path';
import { round } from './_peer.mjs';
import { pythonPeer } from './_python-peers.mjs';
import { expectedText, folder, readRealFile, realFiles, wholeText } from './_real-files.mjs';
import { recallOf } from './_recall.mjs';

const PEERS = { pdf: 'pymupdf', docx: 'markitdown', pptx: 'markitdown', html: 'markitdown', epub: 'markitdown' };
const isShown = process.argv.includes('--show');
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

for (const [format, peer] of Object.entries(PEERS)) {
  if (only.length > 0 && !only.includes(format)) continue;
  const files = realFiles(format);
  const theirs = pythonPeer(peer, files);
  const expected = { n: 0, ours: [0, 0], peer: [0, 0] };
  const between = { n: 0, words: 0, sequences: 0, theirs: 0 };
  let ms = 0;
  for (const entry of files) {
    const found = await readRealFile(join(folder, entry.file));
    ms += found.ms;
    const [ours, other] = [wholeText(found), theirs.get(entry.file)?.text ?? ''];
    const wanted = (entry.expected ?? []).some((path) => /\.(?:md|txt)$/.test(path)) ? plain(expectedText(entry)) : '';
    if (wanted !== '') {
      expected.n++;
      const [own, their] = [recallOf(wanted, ours), recallOf(wanted, plain(other))];
      add(expected.ours, own);
      add(expected.peer, their);
      if (isShown) {
        const figures = [own, their].map(({ words, sequences }) => `${words.toFixed(3)} ${sequences.toFixed(3)}`);
        process.stderr.write(`expected ${figures.join(' / ')} ${entry.file}: ${own.missed.slice(0, 40).join(' ')}\n`);
      }
    }
    const common = recallOf(plain(other), ours);
    if (common.count < 5) continue;
    between.n++;
    between.words += common.words;
    between.sequences += common.sequences;
    between.theirs += recallOf(ours, plain(other)).words;
    if (isShown && common.words < 0.98) {
      const some = common.missed.slice(0, 12).join(' ');
      process.stderr.write(
        `${common.words.toFixed(3)} ${common.sequences.toFixed(3)} ${entry.file} ${found.reason ?? ''}: ${some}\n`,
      );
    }
  }
  if (expected.n > 0) {
    const [ours, their] = [expected.ours, expected.peer].map((sums) => sums.map((sum) => round(sum / expected.n, 3)));
    report({
      bench: `memorylake/text-${format}`,
      documents: expected.n,
      words: ours[0],
      sequences: ours[1],
      [`${peer}_words`]: their[0],
      [`${peer}_sequences`]: their[1],
      holds: ours[0] >= their[0] && ours[1] >= their[1],
    });
  }
  report({
    bench: `memorylake/text-${format}-of-${peer}`,
    documents: between.n,
    words_of_peer: round(between.words / between.n, 3),
    sequences_of_peer: round(between.sequences / between.n, 3),
    our_words_in_peer: round(between.theirs / between.n, 3),
    ms_per_file: round(ms / files.length, 1),
  });
}

/** Markdown without its signs, link targets and pictures. */
function plain(text) {
  return text
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/&(amp|lt|gt|nbsp|quot);/g, ' ')
    .replace(/\\([_*#])/g, '$1')
    .replace(/_/g, ' ');
}

function add(sums, { words, sequences }) {
  sums[0] += words;
  sums[1] += sequences;
}

function report(figure) {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
}
