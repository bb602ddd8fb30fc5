// Reads real files as the program does, in its reader process: per format how many are read, and how long that takes.
// Files that have a password or are broken on purpose count as read when their refusal says so. Peak memory is that of the one
// process that reads them all (Linux only). --show prints the refusals.
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { round } from './_peer.mjs';
import { folder, limits, realFiles } from './_real-files.mjs';

const TARGET = 0.95;
/** Formats of which at least that share must be read. */
const JUDGED = new Set(['pptx', 'odt', 'ods', 'odp', 'xlsb', 'epub', 'eml', 'rtf', 'docx', 'xlsx', 'xls']);
const LAWFUL = /password|encrypted|It is empty|It has no text|It is broken|scan/;
const files = realFiles();
const reader = fork(new URL('../dist/reader-worker.js', import.meta.url), [], {
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});

function read(file) {
  return new Promise((resolve) => {
    const onMessage = (message) => {
      if (message.kind === 'chunks') {
        reader.send({ kind: 'next' });
        return;
      }
      reader.off('message', onMessage);
      resolve(message.kind === 'read' ? message.outcome : { ok: false, reason: message.reason });
    };
    reader.on('message', onMessage);
    reader.send({ kind: 'read', file: { path: join(folder, file), name: basename(file) }, limits });
  });
}

const formats = new Map();
let slowest = { ms: 0 };
for (const { file, extension } of files) {
  const facts = formats.get(extension) ?? { files: 0, read: 0, refused: 0, ms: 0 };
  formats.set(extension, facts);
  const start = performance.now();
  const { ok, reason } = await read(file);
  const ms = performance.now() - start;
  facts.ms += ms;
  if (ms > slowest.ms) slowest = { file, ms };
  facts.files++;
  if (ok) facts.read++;
  else if (LAWFUL.test(reason)) facts.refused++;
  if (!ok && process.argv.includes('--show')) process.stderr.write(`${file}: ${reason}\n`);
}
const status = `/proc/${reader.pid}/status`;
if (existsSync(status)) {
  const peak = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))[1]) / 1024;
  process.stdout.write(
    `${JSON.stringify({ bench: 'memorylake/files-memory', files: files.length, peak_mb: round(peak, 0), slowest: slowest.file, slowest_ms: round(slowest.ms, 0), target_mb: 600, holds: peak < 600 })}\n`,
  );
}
reader.kill();

for (const [format, { files: count, read: ready, refused, ms }] of [...formats].sort(
  (a, b) => b[1].files - a[1].files,
)) {
  const share = ready / Math.max(1, count - refused);
  const judged = JUDGED.has(format) ? { target: TARGET, holds: share >= TARGET } : {};
  process.stdout.write(
    `${JSON.stringify({ bench: `memorylake/files-${format}`, files: count, read: ready, refused, ms_per_file: round(ms / count, 1), ...judged })}\n`,
  );
}
