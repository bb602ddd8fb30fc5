#!/usr/bin/env node
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { examine, render } from './doctor.ts';
import { SandboxError } from './errors.ts';
import { setupPython } from './python/setup/setup.ts';

const USAGE = `usage: atoll-sandbox doctor [--json]           what works on this machine, and what repairs the rest
       atoll-sandbox setup-python [--json]     get Python and its packages ready
  --python-dir DIR   where the Python environment is; also ATOLL_PYTHON_DIR
  --version          print the version and exit`;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof SandboxError ? `${error.message}${error.fix ? `\nrepair: ${error.fix}` : ''}` : error);
  return 1;
});

async function main(args: string[]): Promise<number> {
  const options = {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    version: { type: 'boolean' },
    'python-dir': { type: 'string' },
  } as const;
  let parsed: ReturnType<typeof parseArgs<{ args: string[]; options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return misused((error as Error).message.replace(/\. .*/s, ''));
  }
  const { json = false, help, version, 'python-dir': pythonDir } = parsed.values;
  if (help || version) {
    process.stdout.write(`${help ? USAGE : manifest.version}\n`);
    return 0;
  }
  const [command, more] = parsed.positionals;
  const place = pythonDir === undefined ? {} : { pythonDir };
  if (more !== undefined) return misused(`Unexpected argument "${more}"`);
  if (command === 'doctor') return doctor(place, json);
  if (command === 'setup-python') return setup(place, json);
  return misused(command === undefined ? 'Command missing' : `Unknown command "${command}"`);
}

function misused(what: string): number {
  console.error(`atoll-sandbox: ${what}\n\n${USAGE}`);
  return 2;
}

async function doctor(place: { pythonDir?: string }, json: boolean): Promise<number> {
  const findings = await examine(place);
  process.stdout.write(json ? `${JSON.stringify({ findings })}\n` : render(findings));
  return findings.every(({ capability }) => capability.available) ? 0 : 1;
}

async function setup(place: { pythonDir?: string }, json: boolean): Promise<number> {
  let last = '';
  const onProgress = ({ percent, step }: { percent: number; step: string }) => {
    const line = `${String(Math.round(percent)).padStart(3)} % ${step}`;
    if (line === last) return;
    last = line;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
  const { python, version, source } = await setupPython({ ...place, onProgress });
  if (process.stderr.isTTY && last) process.stderr.write('\r\x1b[K');
  process.stdout.write(
    json ? `${JSON.stringify({ python, version, source })}\n` : `Python ${version} is ready: ${python}\n`,
  );
  return 0;
}
