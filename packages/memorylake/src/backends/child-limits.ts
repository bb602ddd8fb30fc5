import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';

const PAGE_BYTES = 4_096;
const INTERVAL_MS = platform() === 'linux' ? 20 : 1_000;

const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'NODE_V8_COVERAGE'];

/** Environment variables that Node and the system need. */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(KEPT_VARIABLES.flatMap((name) => (name in process.env ? [[name, process.env[name]!]] : [])));

/** Sets a memory limit with `prlimit`, on Linux with util-linux. */
export function limitMemory(pid: number, bytes: number): void {
  if (platform() !== 'linux') return;
  // Not the address space, of which WebAssembly reserves gigabytes.
  spawn('prlimit', [`--pid=${pid}`, `--data=${bytes}`, '--core=0'], { stdio: 'ignore' }).on('error', () => {});
}

/** Polls the resident memory of a process; calls back once if it exceeds the limit. Returns a function that stops. */
export function watchMemory(pid: number, bytes: number, onTooMuch: () => void): () => void {
  let isOver = false;
  const timer = setInterval(async () => {
    const resident = await residentBytes(pid).catch(() => 0);
    if (isOver || resident <= bytes) return;
    stop();
    onTooMuch();
  }, INTERVAL_MS);
  timer.unref();
  const stop = () => {
    isOver = true;
    clearInterval(timer);
  };
  return stop;
}

async function residentBytes(pid: number): Promise<number> {
  if (platform() === 'linux') {
    return Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * PAGE_BYTES;
  }
  if (platform() === 'win32') return 0;
  return new Promise((resolve, reject) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, stdout) =>
      error ? reject(error) : resolve(Number(stdout.trim()) * 1_024),
    );
  });
}
