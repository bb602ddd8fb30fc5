// The Python environment of the sandbox: waited for by tests, made in the background by start.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../workspace.mjs';

const sandbox = join(root, 'packages/sandbox/dist/cli.js');
const PROGRESS = /^\s*\d+ % /;

export function setUpPython() {
  if (!existsSync(sandbox)) return;
  const { status } = spawnSync(process.execPath, [sandbox, 'setup-python'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0)
    process.stderr.write('Python could not be set up; the lines above say what to do. Everything else works.\n');
}

/** Says when it begins, if there is anything to do, and how it ended; the steps between would bury what a person needs. */
export function setUpPythonInBackground(onLine, program = sandbox) {
  if (!existsSync(program)) return undefined;
  const child = spawn(process.execPath, [program, 'setup-python'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let hasBegun = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!PROGRESS.test(line)) return onLine(line);
    if (!hasBegun) onLine('Getting Python for the sandbox, in the background. Everything else works already.');
    hasBegun = true;
  });
  child.once('close', (code, signal) => {
    if (code === 0 && hasBegun) onLine('Python for the sandbox is ready.');
    else if (code !== 0 && signal === null)
      onLine('Python could not be set up; the lines above say what to do. Everything else works.');
  });
  return child;
}
