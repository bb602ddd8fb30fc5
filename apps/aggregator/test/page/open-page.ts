import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const layoutFaults = readFileSync(new URL('../fixtures/layout-faults.js', import.meta.url), 'utf8');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The shell without a window of its own comes first: a page costs it a sixth of the CPU. */
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const executablePath = process.env.CHROMIUM ?? BROWSERS.find(existsSync);

export const launchBrowser = () => chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });

export interface RunningAtoll {
  /** Ends with a slash. */
  readonly address: string;
  readonly configFile: string;
  stop(): Promise<void>;
}

/** The built program with a data folder of its own, gone when it is stopped. */
export async function startAtoll(
  config: object,
  { port = 0, env = {} }: { port?: number; env?: Record<string, string> } = {},
): Promise<RunningAtoll> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-page-'));
  const file = join(folder, 'atoll.json');
  writeFileSync(file, JSON.stringify(config));
  const args = ['--http', '--port', String(port), '--data-dir', join(folder, 'data'), '--config', file];
  const atoll = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let address: string | undefined;
  const heard: string[] = [];
  for await (const line of createInterface({ input: atoll.stderr })) {
    heard.push(line);
    if (!line.includes('"msg":"listening"')) continue;
    address = (JSON.parse(line) as { url: string }).url.replace(/mcp$/, '');
    break;
  }
  if (!address) throw new Error(`Atoll ended instead of listening: ${heard.join('\n')}`);
  atoll.stderr.resume();
  return {
    address,
    configFile: file,
    async stop() {
      atoll.kill('SIGTERM');
      await once(atoll, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Goes to a part of the page and waits until it is there. */
export async function goTo(page: Page, address: string, route: string): Promise<void> {
  await page.goto(`${address}#/${route}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
}

/** Runs in the page: what axe finds, and large texts whose contrast is below that of AAA, which is what AA asks of small ones. */
const FINDINGS = `axe.run({ resultTypes: ['violations'], rules: { 'color-contrast-enhanced': { enabled: true } } }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => {
    const isLarge = ({ any }) => any.some(({ data }) => data && data.expectedContrastRatio === '4.5:1');
    const found = id === 'color-contrast-enhanced' ? nodes.filter(isLarge) : nodes;
    return found.map(({ html }) => id + ': ' + html);
  }))`;

export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  expect(await page.evaluate(FINDINGS)).toEqual([]);
}

/** How far the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** How a picture is turned for the dark theme; `none` in the light one. */
export const filterOf = (picture: Locator): Promise<string> =>
  picture.evaluate((image) => {
    const view = globalThis as unknown as { getComputedStyle(element: unknown): { filter: string } };
    return view.getComputedStyle(image).filter;
  });

let pictures = 0;

/**
 * Nothing hidden beyond the edge, covered, cut or inaccessible: light and dark, narrow and wide. Pictures are not
 * compared, because they differ with the fonts of each machine; with PAGE_PICTURES, the name of a folder, each is kept
 * there to look at.
 */
export async function expectLegible(page: Page): Promise<void> {
  pictures += 1;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      const path = `${process.env.PAGE_PICTURES}/${pictures}-${colorScheme}-${width}.png`;
      if (process.env.PAGE_PICTURES) await page.screenshot({ path, fullPage: true });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await page.evaluate(layoutFaults)).toEqual([]);
      await expectAccessible(page);
    }
  }
}
