import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openTmpdir } from './server.ts';

/** A file system of its own that is soon full; only root may make one. */
export function makeSmallDisk(sizeMb: number): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(openTmpdir(), 'atoll-disk-'));
  asRoot('mount', '-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0777`, 'tmpfs', folder);
  return {
    folder,
    remove() {
      asRoot('umount', folder);
      rmSync(folder, { recursive: true });
    },
  };
}

function asRoot(...command: string[]): void {
  const [program, ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
