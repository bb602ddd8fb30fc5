// Reads a folder of real files and says, per format, how many were read and how many of the expected words came out.
// The folder is the first argument or MEMORYLAKE_BENCH_FILES; its INDEX.jsonl has a line for each file:
// {"file": "a/b.docx", "expected": ["a/b.md"]}. Without a folder there is nothing to measure.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = process.argv[2] ?? process.env.MEMORYLAKE_BENCH_FILES;
if (folder === undefined) {
  console.error('skipped: name a folder of files, or set MEMORYLAKE_BENCH_FILES');
  process.exit(0);
}

const limits = {
  maxFileBytes: 256 * 2 ** 20,
  maxExpandedBytes: 1024 * 2 ** 20,
  maxExpansionRatio: 200,
  maxRows: 2_000_000,
  maxPages: 5_000,
  maxSeconds: 300,
  maxHeapMegabytes: 512,
};
const reader = fork(new URL('../dist/reader-worker.js', import.meta.url), [], {
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});

function read(file) {
  let text = '';
  return new Promise((resolve) => {
    const onMessage = (message) => {
      if (message.kind !== 'chunks') {
        reader.off('message', onMessage);
        resolve({ ok: message.kind === 'read' && message.outcome.ok, text });
        return;
      }
      text += message.chunks.map((chunk) => chunk.text).join('\n');
      reader.send({ kind: 'next' });
    };
    reader.on('message', onMessage);
    reader.send({ kind: 'read', file: { path: join(folder, file), name: basename(file) }, limits });
  });
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function recall(expected, found) {
  const bag = new Map();
  for (const word of wordsOf(found)) bag.set(word, (bag.get(word) ?? 0) + 1);
  const words = wordsOf(expected);
  const hits = words.filter((word) => {
    const left = bag.get(word) ?? 0;
    if (left > 0) bag.set(word, left - 1);
    return left > 0;
  });
  return words.length === 0 ? undefined : hits.length / words.length;
}

const formats = new Map();
for (const line of readFileSync(join(folder, 'INDEX.jsonl'), 'utf8').trim().split('\n')) {
  const { file, expected = [] } = JSON.parse(line);
  const extension = file.split('.').at(-1).toLowerCase();
  const facts = formats.get(extension) ?? { files: 0, read: 0, recalls: [], ms: 0 };
  formats.set(extension, facts);
  const start = performance.now();
  const { ok, text } = await read(file);
  facts.ms += performance.now() - start;
  facts.files++;
  if (!ok) continue;
  facts.read++;
  const wanted = expected.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n');
  const share = recall(wanted, text);
  if (share !== undefined) facts.recalls.push(share);
}
reader.kill();

console.log('| format | files | read | word recall | ms per file |\n| --- | --- | --- | --- | --- |');
for (const [format, { files, read: count, recalls, ms }] of [...formats].sort((a, b) => b[1].files - a[1].files)) {
  const mean = recalls.length === 0 ? '–' : (recalls.reduce((sum, one) => sum + one, 0) / recalls.length).toFixed(3);
  console.log(`| ${format} | ${files} | ${count} | ${mean} | ${(ms / files).toFixed(0)} |`);
}
