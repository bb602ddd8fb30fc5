// How good the ranking is, on public sets that you bring: CRANFIELD=<folder> and DRCD=<DRCD_dev.json>. Each is measured
// three ways in one lake: words alone, meaning alone, and both together as searches do.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefinition, openLake, parseQuery, uploadedFile } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { round } from './_peer.mjs';

const isLong = process.argv.includes('--long');
const { CRANFIELD, DRCD } = process.env;
if (!CRANFIELD && !DRCD) process.stderr.write('set CRANFIELD and DRCD to measure quality\n');

if (CRANFIELD) {
  const scores = await measure(cranfield(CRANFIELD));
  const best = Math.max(scores.words.ndcg, scores.meaning.ndcg);
  const gain = round(scores.both.ndcg / best - 1, 4);
  report({ bench: 'memorylake/quality-cranfield', ...flat(scores), gain, target: 0.03, holds: gain >= 0.03 });
}
if (DRCD) {
  const scores = await measure(drcd(DRCD));
  report({
    bench: 'memorylake/quality-drcd',
    ...flat(scores),
    target_recall_at_1: 0.9,
    holds: scores.both.first >= 0.9,
  });
}

async function measure({ documents, questions, relevant }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  const open = (...flags) => openLake(loadConfig(configDefinition, { argv: ['--data-dir', dataDir, ...flags] }).config);
  const lake = await open();
  const wordsAlone = await open('--no-embed');
  try {
    for (let from = 0; from < documents.length; from += 8) {
      await Promise.all(
        documents.slice(from, from + 8).map(({ id, text }) => lake.add(uploadedFile(`${id}.txt`, Buffer.from(text)))),
      );
    }
    const ways = {
      words: (parsed) => parsed,
      meaning: (parsed) => ({
        ...parsed,
        bm25CleanedQuery: '',
        namedEntities: [],
        bm25Keywords: [],
        bm25BoostKeywords: [],
      }),
      both: (parsed) => parsed,
    };
    const scores = {};
    for (const [name, narrow] of Object.entries(ways)) {
      let ndcg = 0;
      let first = 0;
      let count = 0;
      for (const { id, text } of questions) {
        const wanted = relevant.get(id);
        if (!wanted) continue;
        const searched = name === 'words' ? wordsAlone : lake;
        const { results } = await searched.search({ parsedQuery: narrow(parseQuery(text)), limit: 10 });
        const ranking = results.map(({ memory }) => memory.name.replace(/\.txt$/, ''));
        ndcg += gainOf(ranking, wanted);
        first += (wanted[ranking[0]] ?? 0) > 0 ? 1 : 0;
        count++;
      }
      scores[name] = { ndcg: ndcg / count, first: first / count, questions: count };
    }
    return scores;
  } finally {
    await wordsAlone.close();
    await lake.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function gainOf(ranking, wanted) {
  const discount = (gain, at) => gain / Math.log2(at + 2);
  const got = ranking.slice(0, 10).reduce((sum, id, at) => sum + discount(wanted[id] ?? 0, at), 0);
  const ideal = Object.values(wanted)
    .sort((a, b) => b - a)
    .slice(0, 10)
    .reduce((sum, gain, at) => sum + discount(gain, at), 0);
  return ideal === 0 ? 0 : got / ideal;
}

function cranfield(folder) {
  const parts = (file) => readFileSync(join(folder, file), 'utf8').split(/^\.I /m).slice(1);
  const documents = parts('cran.all.1400').map((part) => ({
    id: /^\d+/.exec(part)[0],
    text: `${/\.T\s*\n([\s\S]*?)\n\.A/.exec(part)?.[1] ?? ''}\n\n${/\.W\s*\n([\s\S]*)$/.exec(part)?.[1] ?? ''}`,
  }));
  const questions = parts('cran.qry').map((part, at) => ({
    id: String(at + 1),
    text: part.split(/\.W\s*\n/)[1].replace(/\s+/g, ' '),
  }));
  const relevant = new Map();
  for (const line of readFileSync(join(folder, 'QRelsCorrectedforTRECeval'), 'utf8').split('\n')) {
    const [question, , document, grade] = line.trim().split(/\s+/);
    if (document) relevant.set(question, { ...relevant.get(question), [document]: Number(grade) });
  }
  return { documents, questions, relevant };
}

function drcd(file) {
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  const documents = [];
  const questions = [];
  const relevant = new Map();
  for (const { paragraphs } of JSON.parse(readFileSync(file, 'utf8')).data) {
    for (const { id, context, qas } of paragraphs) {
      documents.push({ id, text: context });
      for (const question of qas) {
        questions.push({ id: question.id, text: question.question });
        relevant.set(question.id, { [id]: 1 });
      }
    }
  }
  return { documents, questions: isLong ? questions : questions.filter((_, at) => at % 4 === 0), relevant };
}

function flat(scores) {
  const entries = Object.entries(scores).flatMap(([way, { ndcg, first }]) => [
    [`${way}_ndcg_at_10`, round(ndcg, 4)],
    [`${way}_recall_at_1`, round(first, 4)],
  ]);
  return { questions: scores.both.questions, ...Object.fromEntries(entries) };
}

function report(figures) {
  console.log(JSON.stringify(figures));
}
