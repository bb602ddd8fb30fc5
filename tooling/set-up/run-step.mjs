// Runs one long step, shows that it is alive, and turns its usual misfortunes into one line each.
import { spawn } from 'node:child_process';

const MISFORTUNES = [
  [/ENOSPC|no space\s+left on device/i, 'The disk is full. Free some space and run the command again.'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_PNPM_META_FETCH_FAIL|fetch failed|network is unreachable/i,
    'The package registry could not be reached. The first run needs a network; later ones do not.',
  ],
  [
    /EACCES|EPERM|permission denied/i,
    'A file or folder could not be written. Check who owns this folder and the npm cache.',
  ],
  [
    /ERR_PNPM_OUTDATED_LOCKFILE/,
    'pnpm-lock.yaml does not fit the package.json files. Run "npx pnpm install" and commit the result.',
  ],
];

/** One clear line, and the end. */
export function fail(line) {
  process.stderr.write(`\n${line}\n`);
  process.exit(1);
}

/** Runs a step to its end, or ends the program with the reason why it failed. */
export async function runStep(title, command, args, options) {
  const { isDone, output, known } = await tryStep(title, command, args, options);
  if (isDone) return;
  // What a person can mend by themselves needs no log to read.
  if (!known) process.stderr.write(output.split('\n').slice(-40).join('\n'));
  fail(known ?? `${title} failed; the lines above say why.`);
}

/** Resolves to whether it went well, what it printed, and one line for a failure that has a known cause. */
export function tryStep(title, command, args, { cwd, env = {} }) {
  const started = Date.now();
  const isTerminal = process.stderr.isTTY;
  const clear = isTerminal ? '\r\x1b[K' : '';
  if (!isTerminal) process.stderr.write(`${title} …\n`);
  // On a terminal a line that moves; in a log a line now and then.
  const alive = setInterval(
    () =>
      isTerminal ? show(title, started) : process.stderr.write(`${title} … ${secondsSince(started).toFixed(0)} s\n`),
    isTerminal ? 200 : 30_000,
  );
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => finish(1, `${error.message}\n`));
    child.once('close', (code) => finish(code));

    function finish(code, more = '') {
      clearInterval(alive);
      const output = Buffer.concat(chunks).toString() + more;
      process.stderr.write(`${clear}${code === 0 ? '✓' : '✗'} ${title} (${secondsSince(started).toFixed(1)} s)\n`);
      resolve({ isDone: code === 0, output, known: MISFORTUNES.find(([pattern]) => pattern.test(output))?.[1] });
    }
  });
}

const secondsSince = (started) => (Date.now() - started) / 1000;

function show(title, started) {
  const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
  const elapsed = Date.now() - started;
  process.stderr.write(
    `\r\x1b[K${frames[Math.floor(elapsed / 200) % frames.length]} ${title} … ${Math.floor(elapsed / 1000)} s`,
  );
}
