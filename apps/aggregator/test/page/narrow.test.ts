import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { expectLayouts, layoutOf } from './compare-layout.ts';
import { executablePath, expectLegible, goTo, launchBrowser, type RunningAtoll, startAtoll } from './open-page.ts';

const ROUTES = [
  'activity',
  'servers/memorylake',
  'servers/new',
  'tools/search_memory',
  'tools/run_tools',
  'lake',
  'lake/tables',
  'lake/notes',
  'lake/collections',
  'lake/code',
  'tensors',
  'tensors/compare',
  'tensors/check',
  'tensors/models',
  'connect',
  'settings',
];
/** What comes after the page itself. */
const WAITS: ReadonlyMap<string, (page: Page) => Promise<unknown>> = new Map([
  ['lake/code', (page) => page.locator('.code-editor').waitFor()],
]);

describe('the overview and narrow screens', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  let atoll: RunningAtoll;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    atoll = await startAtoll({ servers: { memorylake: {}, 'tensor-directory': {} } });
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    page.setDefaultTimeout(20_000);
    await goTo(page, atoll.address, 'tools/get_memorylake_metadata');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: /Answer/ }).waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await atoll?.stop();
  });

  test('the pages are one row that scrolls to the one that is open', async () => {
    for (const route of ['settings', '', 'embeddings']) {
      await goTo(page, atoll.address, route);
      const links = await page.getByRole('navigation').getByRole('link').all();
      const boxes = await Promise.all(links.map((link) => link.boundingBox()));
      expect(new Set(boxes.map((box) => box!.y)).size).toBe(1);
      const open = await page.getByRole('navigation').locator('[aria-current]').boundingBox();
      expect(open!.x).toBeGreaterThanOrEqual(0);
      expect(open!.x + open!.width).toBeLessThanOrEqual(360);
    }
  });

  test('the table of calls fits into 360 pixels', async () => {
    await goTo(page, atoll.address, 'activity');
    await page.getByRole('link', { name: 'get_memorylake_metadata' }).waitFor();
    const hidden = await page
      .getByRole('region', { name: 'Latest calls' })
      .evaluate((table: { scrollWidth: number; clientWidth: number }) => table.scrollWidth - table.clientWidth);
    expect(hidden).toBe(0);
    await page
      .getByText(/memorylake · \d\d:\d\d:\d\d/)
      .first()
      .waitFor();
  });

  test('the parts of each page stand where they stood, whatever the fonts are', async () => {
    const layouts: Record<string, Record<string, readonly string[]>> = {};
    for (const route of ROUTES) {
      await goTo(page, atoll.address, route);
      await WAITS.get(route)?.(page);
      const at = async (width: number) => [width, await layoutOf(page, route, width)] as const;
      layouts[route] = Object.fromEntries([await at(360), await at(800), await at(1400)]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    expectLayouts(layouts);
  });

  test('the overview lists the latest calls and leads to each', async () => {
    await goTo(page, atoll.address, '');
    const latest = page.getByRole('region', { name: 'Latest calls' });
    await latest.getByRole('link', { name: 'get_memorylake_metadata' }).first().waitFor();
    // What the page asks to show itself is in the activity only, where it can be left out.
    expect(await latest.getByRole('link', { name: 'list_memories' }).count()).toBe(0);
    await goTo(page, atoll.address, 'activity');
    await page.getByRole('link', { name: 'list_memories' }).first().waitFor();
    await page.getByLabel('By this page').selectOption('hide');
    await page.getByRole('link', { name: 'list_memories' }).first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'get_memorylake_metadata' }).first().waitFor();
    await goTo(page, atoll.address, '');
    await expectLegible(page);
    await latest.getByRole('link', { name: 'get_memorylake_metadata' }).click();
    await page.getByRole('region', { name: /^Call \d+/ }).waitFor();
    await expectLegible(page);
  });
});
