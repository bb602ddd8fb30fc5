#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { examine, render } from './doctor.ts';
import { SandboxError } from './errors.ts';
import { setupPython } from './python/setup.ts';

const USAGE = `usage: atoll-sandbox doctor [--json]           what works on this machine, and what repairs the rest
       atoll-sandbox setup-python [--json]     get Python and its packages ready
  --python-dir DIR   where the Python environment is; also ATOLL_PYTHON_DIR`;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof SandboxError ? `${error.message}${error.fix ? `\nrepair: ${error.fix}` : ''}` : error);
  return 1;
});

async function main(args: string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, help: { type: 'boolean' }, 'python-dir': { type: 'string' } } as const;
  const parsed = attempt(() => parseArgs({ args, options, allowPositionals: true }));
  const command = parsed?.positionals[0];
  if (parsed?.values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (parsed?.positionals.length !== 1 || (command !== 'doctor' && command !== 'setup-python')) {
    console.error(USAGE);
    return 2;
  }
  const { json = false, 'python-dir': pythonDir } = parsed.values;
  const place = pythonDir === undefined ? {} : { pythonDir };
  return command === 'doctor' ? doctor(place, json) : setup(place, json);
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

function attempt<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
