// npm start: sets everything up and runs the aggregator on HTTP, for a person at a terminal.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectionHelp } from './set-up/connection-help.mjs';
import { setUpPythonInBackground } from './set-up/python.mjs';
import { fail } from './set-up/run-step.mjs';
import { setUp } from './set-up/set-up.mjs';
import { root } from './workspace.mjs';

await setUp();

const cli = join(root, 'apps/aggregator/dist/cli.js');
const atoll = spawn(process.execPath, [cli, '--http', ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'pipe'],
});
// The Python sandbox needs Linux; elsewhere there is nothing to get.
const python =
  process.platform === 'linux' ? setUpPythonInBackground((line) => process.stderr.write(`${line}\n`)) : undefined;
let listening = false;

createInterface({ input: atoll.stderr }).on('line', (line) => {
  const entry = parse(line);
  if (entry?.msg === 'listening') {
    listening = true;
    process.stdout.write(connectionHelp(entry.url));
  } else if (!entry || ['warn', 'error'].includes(entry.level)) {
    process.stderr.write(`${line}\n`);
  }
});
atoll.once('exit', (code, signal) => {
  python?.kill();
  if (!listening && code !== 0) fail('Atoll could not start; the lines above say why.');
  process.exit(signal ? 0 : (code ?? 0));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    python?.kill();
    atoll.kill(signal === 'SIGINT' ? 'SIGTERM' : signal);
  });
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
