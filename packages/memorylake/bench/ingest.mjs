// A large workbook: CPU of reading it against a bare streaming parser, memory, and how much of the whole is embedding.
// Files are read in a process of their own: its CPU, with its start, and its memory count beside those of the lake's process.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmbedder } from '@atoll-mcp/cortex-embeddings';
import { configDefinition, openLake } from '@atoll-mcp/memorylake';
import { loadConfig } from '@atoll-mcp/server';
import { utils, write } from '@e965/xlsx';
import { median, peer, randomFrom, round } from './_peer.mjs';

const ROWS = 100_000;
const EMBEDDED_ROWS = process.argv.includes('--long') ? ROWS : 2_000;
const me = fileURLToPath(import.meta.url);

const [, , task, path] = process.argv;
if (task === 'ours') await readOurs(path);
else if (task === 'bare') await readBare(path);
else if (task === 'embedded') await readEmbedded(path);
else await main();

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  try {
    const large = join(folder, 'large.xlsx');
    await writeFile(large, workbook(ROWS));
    const measure = (what, file = large) => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [me, what, file], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')));
    };
    const rounds = [0, 1, 2].map(() => ({ ours: measure('ours'), bare: measure('bare') }));
    const known = (values) => (values.includes(null) ? null : median(values));
    const oursMs = known(rounds.map(({ ours }) => ours.read_cpu_ms));
    const bareMs = known(rounds.map(({ bare }) => bare.cpu_ms));
    const memories = rounds.map(({ ours }) => ours.memory_mb);
    const memoryMb = memories.includes(null) ? null : Math.max(...memories);
    const ratio = oursMs === null || bareMs === null ? null : round(oursMs / bareMs);
    report({
      bench: 'memorylake/ingest-read',
      rows: ROWS,
      ours_cpu_ms: oursMs,
      bare_cpu_ms: bareMs,
      ratio,
      target: 1.5,
      holds: ratio === null ? undefined : ratio <= 1.5,
    });
    report({
      bench: 'memorylake/ingest-memory',
      rows: ROWS,
      keywords_only_s: median(rounds.map(({ ours }) => ours.wall_s)),
      memory_mb: memoryMb,
      target_mb: 600,
      holds: memoryMb === null ? undefined : memoryMb < 600,
    });
    const embedded = join(folder, 'embedded.xlsx');
    await writeFile(embedded, workbook(EMBEDDED_ROWS));
    const { chunks, wall_s, share, memory_mb } = measure('embedded', embedded);
    report({
      bench: 'memorylake/ingest-embedding-share',
      rows: EMBEDDED_ROWS,
      chunks,
      wall_s,
      embedding_share: share,
      target: 0.9,
      holds: share > 0.9,
    });
    report({
      bench: 'memorylake/ingest-memory-with-vectors',
      rows: EMBEDDED_ROWS,
      memory_mb,
      target_mb: 600,
      holds: memory_mb < 600,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reading alone is what the process does; the whole run without vectors gives memory and time. */
async function readOurs(file) {
  const { fork } = await import('node:child_process');
  const limits = {
    maxFileBytes: 2 ** 30,
    maxExpandedBytes: 2 ** 31,
    maxExpansionRatio: 200,
    maxRows: 1e7,
    maxPages: 1e5,
    maxSeconds: 600,
    maxHeapMegabytes: 512,
  };
  const before = process.cpuUsage();
  const worker = fork(new URL('../dist/reader-worker.js', import.meta.url), [], { serialization: 'advanced' });
  await new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (message) => (message.kind === 'chunks' ? worker.send({ kind: 'next' }) : resolve()));
    worker.send({ kind: 'read', file: { path: file, name: 'large.xlsx' }, limits });
  });
  const { user, system } = process.cpuUsage(before);
  const reader = await usageOf(worker.pid);
  worker.kill();
  const dataDir = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  const lake = await openLake(loadConfig(configDefinition, { argv: ['--no-embed', '--data-dir', dataDir] }).config);
  const started = performance.now();
  const { memory } = await lake.add(lake.fileAt(file, 'large.xlsx'));
  if (memory.status !== 'ready') throw new Error(memory.reason);
  const seconds = (performance.now() - started) / 1000;
  await lake.close();
  await rm(dataDir, { recursive: true, force: true });
  report({
    read_cpu_ms: reader && round((user + system) / 1000 + reader.cpuMs),
    wall_s: round(seconds),
    memory_mb: reader && Math.round(process.resourceUsage().maxRSS / 1024 + reader.peakMb),
  });
}

async function readBare(file) {
  const hucre = await peer('hucre', '1.0.0');
  if (!hucre) return report({ cpu_ms: null });
  const { readFileSync } = await import('node:fs');
  const before = process.cpuUsage();
  let rows = 0;
  for await (const _ of hucre.streamXlsxRows(readFileSync(file))) rows++;
  if (rows < ROWS) throw new Error(`only ${rows} rows`);
  const { user, system } = process.cpuUsage(before);
  report({ cpu_ms: round((user + system) / 1000) });
}

/** What a running process has used, its threads included; null where the system does not tell. */
async function usageOf(pid) {
  if (process.platform !== 'linux') return null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Ticks of 10 ms; the name before them may hold spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const [, peakKb] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  return { cpuMs: (user + system) * 10, peakMb: Number(peakKb) / 1024 };
}

/** In a process of its own, model and all, so that its memory is that of a lake at work. */
async function readEmbedded(file) {
  const folder = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  const model = createEmbedder({ workers: 2 });
  await model.load();
  let under = 0;
  let since = 0;
  let busyMs = 0;
  const embedder = {
    identity: model.identity,
    dimensions: model.dimensions,
    model: model.model,
    async embed(texts, options) {
      if (under++ === 0) since = performance.now();
      return model.embed(texts, options).finally(() => {
        if (--under === 0) busyMs += performance.now() - since;
      });
    },
  };
  const lake = await openLake(loadConfig(configDefinition, { argv: ['--data-dir', folder] }).config, { embedder });
  const started = performance.now();
  const { memory } = await lake.add(lake.fileAt(file, 'embedded.xlsx'));
  const wallMs = performance.now() - started;
  if (memory.status !== 'ready') throw new Error(memory.reason);
  await lake.close();
  await model.close();
  await rm(folder, { recursive: true, force: true });
  report({
    chunks: memory.chunks,
    wall_s: round(wallMs / 1000),
    share: round(busyMs / wallMs, 3),
    memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  });
}

function workbook(count) {
  const random = randomFrom(1);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words =
    'alpha beta gamma delta invoice shipped returned customer priority order delayed partial refund wholesale'.split(
      ' ',
    );
  const table = [['date', 'region', 'product', 'units', 'amount', 'note']];
  for (let at = 0; at < count; at++) {
    const day = new Date(Date.UTC(2020, 0, 1) + Math.floor(random() * 1500) * 86_400_000);
    table.push([
      day,
      pick(['North', 'South', 'East', 'West']),
      pick(['Widget-A1', 'Gadget_v2', 'Cog']),
      Math.floor(random() * 100),
      round(random() * 1e4),
      `${pick(words)} ${pick(words)} ${at}`,
    ]);
  }
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(table, { cellDates: true }), 'Sales');
  return write(book, { type: 'buffer', bookSST: true, compression: true });
}

function report(figures) {
  console.log(JSON.stringify(figures));
}
