// Many small text files: how many a second can be found by their words, against a floor that keeps the same promise: each file copied
// durably, and its text inserted into a full-text table of a bare SQLite with a commit of its own.
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefinition, openLake } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { median, randomFrom, round } from './_peer.mjs';

const FILES = 1_000;
const AT_ONCE = 32;
const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ??
  createRequire(new URL('../../storage/package.json', import.meta.url))('@photostructure/sqlite');

const folder = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
try {
  const paths = await writeFiles(join(folder, 'files'));
  const rounds = [];
  for (let at = 0; at < 3; at++) {
    const floor = await addToBare(join(folder, `bare-${at}`), paths);
    const words = await addToLake(join(folder, `words-${at}`), paths, ['--no-embed']);
    const models = await addToLake(join(folder, `models-${at}`), paths, []);
    rounds.push({ floor, words, models });
  }
  const of = (way) => median(rounds.map((figures) => figures[way]));
  const ratio = round(median(rounds.map(({ words, floor }) => words / floor)));
  console.log(
    JSON.stringify({
      bench: 'memorylake/text-files',
      files: FILES,
      files_per_s: Math.round(of('words')),
      files_per_s_before_vectors: Math.round(of('models')),
      bare_files_per_s: Math.round(of('floor')),
      share_of_bare: ratio,
      target_share: 0.8,
      holds: ratio >= 0.8,
    }),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeFiles(into) {
  await mkdir(into);
  const random = randomFrom(1);
  const words = 'invoice shipped returned customer priority order delayed partial refund harbour engine bridge'.split(
    ' ',
  );
  const paths = [];
  for (let at = 0; at < FILES; at++) {
    const text = Array.from(
      { length: 120 },
      () => `${words[Math.floor(random() * words.length)]}${random() < 0.3 ? at : ''}`,
    );
    paths.push(join(into, `report-${at}.txt`));
    await writeFile(paths[at], `Report ${at}\n\n${text.join(' ')}.\n`);
  }
  return paths;
}

/** Files per second until the words of all can be found. */
async function addToLake(dataDir, paths, flags) {
  const lake = await openLake(loadConfig(configDefinition, { argv: ['--data-dir', dataDir, ...flags] }).config);
  try {
    await lake.search({ query: 'nothing' });
    const perSecond = await timed(paths, async (path, at) => {
      const { searchable } = await lake.addInSteps(lake.fileAt(path, `report-${at}.txt`));
      await searchable;
    });
    const { total } = await lake.search({ query: 'report' });
    if (total !== FILES) throw new Error(`${total} of ${FILES} are found`);
    return perSecond;
  } finally {
    await lake.close();
  }
}

async function addToBare(into, paths) {
  await mkdir(into);
  const database = new DatabaseSync(join(into, 'bare.db'));
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE VIRTUAL TABLE texts USING fts5(name, body)',
  );
  const insert = database.prepare('INSERT INTO texts VALUES (?, ?)');
  const perSecond = await timed(paths, async (path, at) => {
    const bytes = await readFile(path);
    const draft = await open(join(into, `${at}.draft`), 'wx');
    await draft.write(bytes);
    await draft.datasync();
    await draft.close();
    await rename(join(into, `${at}.draft`), join(into, `${at}.txt`));
    const parent = await open(into, 'r');
    await parent.sync();
    await parent.close();
    insert.run(`report-${at}.txt`, bytes.toString());
  });
  database.close();
  return perSecond;
}

async function timed(paths, add) {
  const since = performance.now();
  let next = 0;
  const work = async () => {
    for (let at = next++; at < paths.length; at = next++) await add(paths[at], at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (paths.length / (performance.now() - since)) * 1_000;
}
