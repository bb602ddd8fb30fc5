// Start of a bundled server to its answer of `initialize` over stdio, above the start of an empty Node program.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const RUNS = 9;
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const program = join(folder, 'notes.mjs');
await build({
  entryPoints: [fileURLToPath(new URL('../examples/notes.ts', import.meta.url))],
  outfile: program,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@photostructure/sqlite'],
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'error',
});
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };
const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
const floors = [];
const starts = [];
for (let i = 0; i < RUNS; i++) {
  floors.push(await timed(['-e', '0'], 'exit'));
  starts.push(await timed([program], 'answer'));
}
rmSync(folder, { recursive: true });
const [floor, start] = [median(floors), median(starts)];
console.log(
  JSON.stringify({
    bench: 'core/start',
    node_ms: floor,
    initialize_ms: start,
    added_ms: start - floor,
    target_ms: 250,
    holds: start - floor <= 250,
  }),
);

function timed(args, until) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const done = () => {
      resolve(Math.round(performance.now() - started));
      child.kill('SIGKILL');
    };
    if (until === 'exit') child.once('exit', done);
    else child.stdout.once('data', done);
    child.stdin.end(until === 'exit' ? '' : initialize);
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
