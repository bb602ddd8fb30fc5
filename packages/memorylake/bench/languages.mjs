// How often a question finds its paragraph among the first five, in its own language and across languages, on XQuAD: parallel paragraphs
// and questions. XQUAD names the folder of `xquad.<language>.json`, MODELS that of the models (`cortex-embeddings models pull multilingual`).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefinition, openLake, uploadedFile } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { round } from './_peer.mjs';

const XQUAD = process.env.XQUAD ?? fileURLToPath(new URL('../../../../shared/data/xquad', import.meta.url));
const { MODELS } = process.env;
const every = process.argv.includes('--long') ? 1 : 6;
if (!existsSync(XQUAD) || !MODELS) {
  process.stderr.write('set XQUAD and MODELS to measure languages\n');
  process.exit(0);
}

const languages = readdirSync(XQUAD).flatMap((name) => /^xquad\.(\w+)\.json$/.exec(name)?.[1] ?? []);
const sets = new Map(languages.map((language) => [language, read(language)]));
const found = new Map();
for (const texts of languages) {
  for (const [key, share] of await measure(texts)) found.set(key, share);
}
const same = [...found].filter(([key]) => isSame(key));
const across = [...found].filter(([key]) => !isSame(key));
report('same-language', same, 0.97);
report('across-languages', across, 0.9);

/** Share of questions of each language that find their paragraph among the texts of one. */
async function measure(texts) {
  const dataDir = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  await cp(MODELS, join(dataDir, 'models'), { recursive: true });
  const lake = await openLake(loadConfig(configDefinition, { argv: ['--data-dir', dataDir] }).config);
  try {
    const { paragraphs } = sets.get(texts);
    const added = await Promise.all(
      paragraphs.map((text, at) => lake.add(uploadedFile(`${at}.txt`, Buffer.from(text)))),
    );
    const shares = [];
    for (const asked of languages) {
      const questions = sets.get(asked).questions.filter((_, at) => at % every === 0);
      let hits = 0;
      for (const { text, paragraph } of questions) {
        const { results } = await lake.search({ query: text, limit: 5 });
        if (results.some(({ memory }) => memory.id === added[paragraph].memory.id)) hits++;
      }
      shares.push([`${asked} to ${texts}`, hits / questions.length]);
    }
    return shares;
  } finally {
    await lake.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function read(language) {
  const { data } = JSON.parse(readFileSync(join(XQUAD, `xquad.${language}.json`), 'utf8'));
  const paragraphs = data.flatMap((article) => article.paragraphs);
  return {
    paragraphs: paragraphs.map(({ context }) => context),
    questions: paragraphs.flatMap(({ qas }, paragraph) => qas.map(({ question }) => ({ text: question, paragraph }))),
  };
}

function isSame(key) {
  const [asked, texts] = key.split(' to ');
  return asked === texts;
}

function report(name, shares, target) {
  const mean = shares.reduce((sum, [, share]) => sum + share, 0) / shares.length;
  const figures = Object.fromEntries(shares.map(([key, share]) => [key, round(share, 3)]));
  console.log(
    JSON.stringify({
      bench: `memorylake/${name}`,
      recall_at_5: round(mean, 3),
      ...figures,
      target,
      holds: mean >= target,
    }),
  );
}
