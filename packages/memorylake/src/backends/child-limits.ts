import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';

const PAGE_BYTES = 4_096;
const INTERVAL_MS = platform() === 'linux' ? 20 : 1_000;

const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'NODE_V8_COVERAGE'];

/** Of the environment only what Node and the system look for. */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(KEPT_VARIABLES.flatMap((name) => (name in process.env ? [[name, process.env[name]!]] : [])));

/** Lets the system refuse memory beyond a limit, where it has a command for that: Linux with util-linux. */
export function limitMemory(pid: number, bytes: number): void {
  if (platform() !== 'linux') return;
  // Not the address space: WebAssembly reserves gigabytes of it that it never uses.
  spawn('prlimit', [`--pid=${pid}`, `--data=${bytes}`, '--core=0'], { stdio: 'ignore' }).on('error', () => {});
}

/** Looks at the resident memory of a process until told to stop; calls back once when there is too much. */
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
