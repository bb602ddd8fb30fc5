// The Python environment of the sandbox: waited for by tests, made in the background by start.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './set-up.mjs';

const sandbox = join(root, 'packages/sandbox/dist/cli.js');

export function setUpPython() {
  if (!existsSync(sandbox)) return;
  const { status } = spawnSync(process.execPath, [sandbox, 'setup-python'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0)
    process.stderr.write('Python could not be set up; the lines above say what to do. Everything else works.\n');
}

export function setUpPythonInBackground(onLine) {
  if (!existsSync(sandbox)) return undefined;
  const child = spawn(process.execPath, [sandbox, 'setup-python'], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    for (const line of text.split('\n').filter(Boolean)) onLine(line);
  });
  return child;
}
