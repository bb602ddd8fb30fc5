// What notes with cites cost: writing them, changing the file that they cite, and telling which of them have changed. The same file is
// also changed in a lake without notes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefinition, openLake, uploadedFile } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { round } from './_peer.mjs';

const NOTES = Number(process.env.NOTES ?? 10_000);
const LINES = 2_000;
const SEARCHES = 50;

const paragraph = (i, word) => `Berth ${i} of the harbour is ${word} and takes ships of ${20 + (i % 180)} metres.`;
const fileOf = (word) =>
  uploadedFile(
    'harbour.md',
    Buffer.from(
      Array.from({ length: LINES }, (_, i) => `# Berth ${i}\n\n${paragraph(i, i % 2 ? 'free' : word)}\n`).join('\n'),
    ),
  );

const dataDirs = [];
async function lakeOf() {
  const dataDir = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  dataDirs.push(dataDir);
  return openLake(loadConfig(configDefinition, { argv: ['--no-embed', '--data-dir', dataDir] }).config);
}
const timed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const [lake, plain] = [await lakeOf(), await lakeOf()];
try {
  const { memory } = await lake.add(fileOf('closed'));
  await plain.add(fileOf('closed'));
  const written = await timed(async () => {
    for (let i = 0; i < NOTES; i++) {
      const cites = [{ memoryId: memory.id, chunk: 1 + (i % memory.chunks) }];
      await lake.notes.remember({ text: `Note ${i}: berth ${i % LINES} matters to ship number ${i}.`, cites });
    }
  });
  const bare = await timed(() => plain.add(fileOf('open')));
  const changed = await timed(() => lake.add(fileOf('open')));
  let marked = 0;
  let found = 0;
  const searched = await timed(async () => {
    for (let i = 0; i < SEARCHES; i++) {
      const { results } = await lake.search({ query: `ship number ${i * 7}`, limit: 10 });
      found += results.length;
      for (const { changes } of results) if (changes?.length) marked++;
    }
  });
  const ratio = round(changed / bare, 2);
  console.log(
    JSON.stringify({
      bench: 'memorylake/notes',
      notes: NOTES,
      chunks: memory.chunks,
      ms_per_note: round(written / NOTES, 2),
      change_ms: round(changed, 0),
      change_without_notes_ms: round(bare, 0),
      search_ms: round(searched / SEARCHES, 1),
      found,
      marked,
      ratio,
      target_ratio: 1.5,
      holds: ratio <= 1.5 && marked > 0,
    }),
  );
} finally {
  await lake.close();
  await plain.close();
  for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
}
