// The built program with its page, and a Chromium that is as slow as a modest phone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const SLOWDOWN = 4;
const cli = fileURLToPath(new URL('../../../apps/aggregator/dist/cli.js', import.meta.url));

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-page-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function startAtoll(dataDir) {
  const atoll = spawn(process.execPath, [cli, '--http', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let address;
  for await (const line of createInterface({ input: atoll.stderr })) {
    if (!line.includes('"msg":"listening"')) continue;
    address = JSON.parse(line).url.replace(/mcp$/, '');
    break;
  }
  atoll.stderr.resume();
  return {
    address,
    async stop() {
      atoll.kill('SIGTERM');
      await once(atoll, 'exit');
    },
  };
}

const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? BROWSERS.find(existsSync), args: ['--no-sandbox'] });
}

/** A page with nothing in its cache, on a processor that is slowed down. */
export async function slowPage(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  return { page, close: () => context.close() };
}

export const quantile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
export const median = (values) => quantile(values, 0.5);
export const report = (figures) => console.log(JSON.stringify(figures));
