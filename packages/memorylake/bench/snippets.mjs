// How often the snippet that a search shows holds the answer, and begins with the sentence that does, on XQuAD in English, whose
// answers are marked. XQUAD names the folder of `xquad.en.json`.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefinition, openLake, uploadedFile } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { round } from './_peer.mjs';

const folder = process.env.XQUAD ?? fileURLToPath(new URL('../../../../shared/data/xquad', import.meta.url));
if (!existsSync(join(folder, 'xquad.en.json'))) {
  process.stderr.write('set XQUAD to measure snippets\n');
  process.exit(0);
}

const every = process.argv.includes('--long') ? 1 : 6;
const { data } = JSON.parse(readFileSync(join(folder, 'xquad.en.json'), 'utf8'));
const paragraphs = data.flatMap((article) => article.paragraphs).filter((_, at) => at % every === 0);
const dataDir = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
const lake = await openLake(loadConfig(configDefinition, { argv: ['--no-embed', '--data-dir', dataDir] }).config);
try {
  const counts = { shown: 0, holds: 0, begins: 0 };
  for (const [at, { context, qas }] of paragraphs.entries()) {
    const { memory } = await lake.add(uploadedFile(`${at}.txt`, Buffer.from(context)));
    for (const { question, answers } of qas) await look(counts, memory.id, context, question, answers[0]);
  }
  const share = (count) => round(count / counts.shown, 3);
  const [holds, begins] = [share(counts.holds), share(counts.begins)];
  console.log(
    JSON.stringify({
      bench: 'memorylake/snippets',
      questions: counts.shown,
      holds_answer: holds,
      begins_with_its_sentence: begins,
      target_holds: 0.85,
      target_begins: 0.75,
      holds: holds >= 0.85 && begins >= 0.75,
    }),
  );
} finally {
  await lake.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** Of one paragraph alone: whether it is found among others is another benchmark's question. */
async function look(counts, id, context, question, { text, answer_start: start }) {
  const { results } = await lake.search({ query: question, memoryIds: [id], limit: 1 });
  const snippet = results[0]?.passages[0]?.text;
  if (snippet === undefined) return;
  counts.shown++;
  if (snippet.includes(text)) counts.holds++;
  const before = context.slice(0, start).search(/[^.!?]*$/);
  const sentence = context.slice(before).trim();
  if (snippet.replace(/^…/, '').startsWith(sentence.slice(0, 40))) counts.begins++;
}
