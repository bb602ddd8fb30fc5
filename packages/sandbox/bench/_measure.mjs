import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export const median = (values) => Number([...values].sort((a, b) => a - b)[values.length >> 1].toFixed(3));

/** One JSON line for the runner, one for people. */
export function report(figure) {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
  const { bench, holds, ...rest } = figure;
  const words = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(
    `${holds === false ? 'NOT ' : holds ? 'ok  ' : '    '}${bench.padEnd(34)} ${words.join(' · ')}\n`,
  );
}

/** A bare Python that runs `step` once for each line it gets and answers with its milliseconds. */
export function barePython(executable, setup, step) {
  const program = `
import sys, time
${setup}
def step():
${step
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
for line in sys.stdin:
    started = time.perf_counter()
    step()
    print((time.perf_counter() - started) * 1000, flush=True)`;
  const env = { PATH: '/usr/bin:/bin', OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' };
  const child = spawn(executable, ['-I', '-c', program], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const lines = createInterface({ input: child.stdout });
  return {
    async run() {
      child.stdin.write('\n');
      return Number((await once(lines, 'line'))[0]);
    },
    close() {
      child.stdin.end();
    },
  };
}
