// Says in one line what is missing on this machine, before anything takes its time.
import { spawnSync } from 'node:child_process';
// Named imports would end an old Node before it can be told that it is old.
import fs from 'node:fs';
import { fail } from './run-step.mjs';

/** What dependencies and a build take, with room to spare. */
const NEEDED_GB = 2.5;

const INSTALL = {
  git: 'Debian and Ubuntu: apt-get install git; macOS: xcode-select --install; Windows: winget install Git.Git',
};

export function requireNode(least) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  fail(
    `Atoll needs Node ${least} or later; this is ${process.versions.node}. Install a current Node and run the command again.`,
  );
}

export function requirePrograms(names) {
  for (const name of names) {
    const { error } = spawnSync(name, ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' });
    if (error) fail(`${name} is missing. ${INSTALL[name]}. Then run the command again.`);
  }
}

/** Before dependencies are installed. */
export function requireRoom(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
  } catch {
    fail(`This folder cannot be written: ${folder}. Check who owns it, or clone the repository as this user.`);
  }
  const { bavail, bsize } = fs.statfsSync(folder);
  const freeGb = (bavail * bsize) / 2 ** 30;
  if (freeGb < NEEDED_GB)
    fail(
      `Atoll needs about ${NEEDED_GB} GB on this disk; ${freeGb.toFixed(1)} GB are free. Free some space and run the command again.`,
    );
}
