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

export function runStep(title, command, args, { cwd, env = {} }) {
  const started = Date.now();
  const alive = process.stderr.isTTY ? setInterval(() => show(title, started), 200) : undefined;
  if (!alive) process.stderr.write(`${title} …\n`);
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => finish(1, `${error.message}\n`));
    child.once('close', (code) => finish(code));

    function finish(code, more = '') {
      clearInterval(alive);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      if (code === 0) {
        process.stderr.write(alive ? `\r\x1b[K✓ ${title} (${seconds} s)\n` : `✓ ${title} (${seconds} s)\n`);
        return resolve();
      }
      const text = Buffer.concat(output).toString() + more;
      const known = MISFORTUNES.find(([pattern]) => pattern.test(text));
      // What a person can mend by themselves needs no log to read.
      const log = known ? '' : text.split('\n').slice(-40).join('\n');
      process.stderr.write(`${alive ? '\r\x1b[K' : ''}✗ ${title} (${seconds} s)\n${log}`);
      fail(known ? known[1] : `${title} failed; the lines above say why.`);
    }
  });
}

function show(title, started) {
  const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
  const elapsed = Date.now() - started;
  process.stderr.write(
    `\r\x1b[K${frames[Math.floor(elapsed / 200) % frames.length]} ${title} … ${Math.floor(elapsed / 1000)} s`,
  );
}
