import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { executablePath, expectLegible, goTo, launchBrowser, type RunningAtoll, startAtoll } from './open-page.ts';

const SHOP = fileURLToPath(new URL('../fixtures/shop-server.mjs', import.meta.url));
const HOSTILE = '<img src=x onerror="document.title=1">';

describe('programs in the page', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  let atoll: RunningAtoll;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    const mcpServers = { shop: { command: process.execPath, args: [SHOP] } };
    atoll = await startAtoll({ runTools: true, servers: {}, mcpServers });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await atoll?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const editor = () => page.getByRole('textbox', { name: 'Program' });
  const run = () => page.getByRole('button', { name: 'Run', exact: true }).click();
  const openWith = (code: string) => goTo(page, atoll.address, `tools/run_tools?${new URLSearchParams({ code })}`);

  test('names of tools and arguments are completed, and the calls are shown over time', async () => {
    await goTo(page, atoll.address, 'tools');
    await page.getByRole('link', { name: 'Programs' }).click();
    await editor().fill('');
    await editor().pressSequentially('return await tools.get_p');
    await page.getByRole('option', { name: 'get_price' }).click();
    await editor().pressSequentially('({ ');
    await page.getByRole('option', { name: /^id/ }).waitFor();
    // What is typed right after a list has opened is not meant for it.
    await expect
      .poll(async () => {
        await editor().press('Enter');
        return editor().textContent();
      })
      .toContain('get_price({ id: ');
    await editor().press('Escape');
    await editor().pressSequentially('4');
    await editor().press('Control+Enter');
    await page.locator('.result', { hasText: '8' }).waitFor();
    const bar = page.getByRole('list', { name: 'Calls of the program' }).getByRole('listitem');
    await bar.getByRole('link', { name: 'get_price' }).waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete').count()).toBe(0);
    await expectLegible(page);
  });

  test('a call that may change something waits until it is confirmed, and only then is made', async () => {
    await openWith(`const before = await tools.get_price({id: 3});
const saved = await tools.set_price({id: 3, price: 99});
return [before, saved.saved, '${HOSTILE}'];`);
    await run();
    const plan = page.getByRole('region', { name: 'Plan of writes' });
    await plan.getByText('set_price').waitFor();
    await plan.getByText('99').waitFor();
    const calls = page.getByRole('list', { name: 'Calls of the program' });
    await calls.getByRole('link', { name: 'get_price' }).waitFor();
    expect(await calls.getByRole('link', { name: 'set_price' }).count()).toBe(0);
    await expectLegible(page);
    await plan.getByRole('button', { name: 'Make these calls and go on' }).click();
    await calls.getByRole('link', { name: 'set_price' }).waitFor();
    await page.locator('.result', { hasText: HOSTILE }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('a program that fails says why and what it did before', async () => {
    await openWith("print('one'); await tools.get_price({id: 1}); await tools.fail({});");
    await run();
    await page.getByRole('alert').getByText('out of stock').first().waitFor();
    await page.locator('pre', { hasText: 'one' }).waitFor();
    const failed = page
      .getByRole('list', { name: 'Calls of the program' })
      .getByRole('listitem')
      .filter({ hasText: 'fail' });
    await failed.getByText('failed').waitFor();
  });

  test('the activity shows a program as a waterfall, and each of its calls leads back to it', async () => {
    await openWith(
      'await Promise.all([1, 2, 3].map((id) => tools.get_price({id}))); return await tools.list_items({});',
    );
    await run();
    await page.locator('.result', { hasText: 'item 0' }).waitFor();
    await goTo(page, atoll.address, 'activity');
    await page.getByRole('link', { name: 'run_tools' }).first().click();
    const bars = page.getByRole('list', { name: 'Calls of the program' }).getByRole('listitem');
    await expect.poll(() => bars.count()).toBe(4);
    const begins = await bars.locator('.bar').evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().left));
    expect(begins).toEqual([...begins].sort((one, other) => one - other));
    await expectLegible(page);
    await bars.last().getByRole('link').click();
    await page.getByRole('link', { name: 'a program', exact: true }).click();
    await expect.poll(() => bars.count()).toBe(4);
    await bars.first().getByRole('link').click();
    await page.getByRole('link', { name: 'Open as program' }).click();
    await editor().getByText('get_price').waitFor();
  });
});
