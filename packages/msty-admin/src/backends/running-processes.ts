import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 3000;

/** Whether Msty runs here; null when the processes of this machine cannot be looked at. */
export async function isMstyRunning(platform: NodeJS.Platform): Promise<boolean | null> {
  // Another system's processes are asked for in tests of its paths only.
  if (platform !== process.platform) return null;
  const names = await processNames(platform).catch(() => null);
  if (!names || names.length === 0) return null;
  return names.some(isMsty);
}

/** The app and its helpers ("MstyStudio", "Msty Studio Helper"), but not a server like this one. */
export function isMsty(program: string): boolean {
  const name = program.split(/[/\\]/).at(-1) ?? '';
  return /^msty(?!-admin|_admin)/i.test(name);
}

async function processNames(platform: NodeJS.Platform): Promise<string[]> {
  if (platform === 'linux') return linuxPrograms();
  if (platform === 'win32') {
    const { stdout } = await run('tasklist', ['/fo', 'csv', '/nh'], { timeout: TIMEOUT_MS, windowsHide: true });
    return [...stdout.matchAll(/^"([^"]+)"/gm)].map(([, name]) => name ?? '');
  }
  const { stdout } = await run('ps', ['-axo', 'comm='], { timeout: TIMEOUT_MS });
  return stdout.split('\n').map((line) => line.trim());
}

async function linuxPrograms(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(
    ids.map(async (id) => {
      const [comm, cmdline] = await Promise.all([
        readFile(`/proc/${id}/comm`, 'utf8').catch(() => ''),
        readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
      ]);
      return [comm.trim(), cmdline.split('\0')[0] ?? ''];
    }),
  );
  return programs.flat().filter(Boolean);
}
