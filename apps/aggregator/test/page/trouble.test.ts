import { writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { executablePath, expectAccessible, goTo, launchBrowser, startAtoll } from './open-page.ts';

const SERVERS = { servers: { 'tensor-directory': {} } };

describe('the page, when something is wrong', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  let browser: Browser;
  let page: Page;
  const cleanups: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
  });
  afterEach(async () => {
    await page.close();
    for (const clean of cleanups.splice(0)) await clean();
  });

  test('an Atoll that ended is said in words, and the overview is back when it is', async () => {
    const first = await startAtoll(SERVERS);
    await goTo(page, first.address, '');
    await page.locator('.upstream').waitFor();
    await first.stop();
    await page.getByText('Atoll does not answer. If it has ended, start it again').waitFor();
    await expectAccessible(page);
    const second = await startAtoll(SERVERS, { port: Number(new URL(first.address).port) });
    cleanups.push(second.stop);
    await page.locator('.upstream', { hasText: 'tensor-directory' }).waitFor();
  });

  test('a tool that is tried while Atoll is away fails in words', async () => {
    const atoll = await startAtoll(SERVERS);
    await goTo(page, atoll.address, 'tools/list_tensors');
    await page.getByRole('button', { name: 'Run' }).waitFor();
    await atoll.stop();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').getByText('Atoll does not answer.').waitFor();
  });

  test('a token is asked for, a wrong one is refused in words, and the right one opens the page', async () => {
    const atoll = await startAtoll({ ...SERVERS, tokens: [{ name: 'me', token: 'a-long-enough-token' }] });
    cleanups.push(atoll.stop);
    await page.goto(atoll.address);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('That token was not accepted.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Token').fill('a-long-enough-token');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.upstream').waitFor();
    await page.goto(`${atoll.address}#/connect`);
    await page.getByText('ATOLL_TOKEN').first().waitFor();
    expect(await page.content()).not.toContain('a-long-enough-token');
  });

  test('a token that expires while the page is open is asked for again, and what was begun stays', async () => {
    const withToken = (token: string) => ({ ...SERVERS, tokens: [{ name: 'me', token }] });
    const atoll = await startAtoll(withToken('a-long-enough-token'));
    cleanups.push(atoll.stop);
    const enter = async (token: string) => {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await page.goto(`${atoll.address}#/tools/get_tensor`);
    await enter('a-long-enough-token');
    await page.getByRole('textbox', { name: /^name_or_uuid/ }).fill('begun');
    writeFileSync(atoll.configFile, JSON.stringify(withToken('a-token-of-the-next-month')));
    const asked = page.getByText('The token of this tab is no longer valid.');
    await expect
      .poll(async () => {
        await page
          .getByRole('button', { name: 'Run', exact: true })
          .click({ timeout: 1000 })
          .catch(() => {});
        return asked.isVisible();
      })
      .toBe(true);
    await expectAccessible(page);
    await enter('a-token-of-the-next-month');
    expect(await page.getByRole('textbox', { name: /^name_or_uuid/ }).inputValue()).toBe('begun');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByText(/begun.*not found|no tensor.*begun/i)
      .first()
      .waitFor();
  });

  test('a browser that keeps nothing for the page shows all of it', async () => {
    const atoll = await startAtoll({ ...SERVERS, tokens: [{ name: 'me', token: 'a-long-enough-token' }] });
    cleanups.push(atoll.stop);
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        const get = () => {
          throw new DOMException('Access is denied', 'SecurityError');
        };
        Object.defineProperty(globalThis, name, { get });
      }
    });
    await page.goto(atoll.address);
    await page.getByLabel('Token').fill('a-long-enough-token');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.upstream').waitFor();
    await page.getByLabel('Theme').selectOption('dark');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('link', { name: 'Try a tool' }).click();
    await page.getByRole('link', { name: /list_tensors/ }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Tried before (1)').waitFor();
  });

  test('an address that is no encoding leads to its page all the same', async () => {
    const atoll = await startAtoll(SERVERS);
    cleanups.push(atoll.stop);
    await goTo(page, atoll.address, 'servers/%E0%A4%A');
    await page.getByText('Server "%E0%A4%A" not found').waitFor();
  });

  test('an endpoint that lists tools by search only has its pages all the same', async () => {
    const atoll = await startAtoll({ ...SERVERS, mode: 'search' });
    cleanups.push(atoll.stop);
    await goTo(page, atoll.address, 'tensors');
    await page.getByRole('heading', { name: 'The directory is empty' }).waitFor();
    await goTo(page, atoll.address, 'lake');
    await page.getByRole('heading', { name: 'memorylake is not running here' }).waitFor();
  });

  test('a server behind a prefix has its page all the same', async () => {
    const atoll = await startAtoll({ servers: { 'tensor-directory': { prefix: 'lab_' } } });
    cleanups.push(atoll.stop);
    await goTo(page, atoll.address, 'tensors');
    await page.getByRole('heading', { name: 'The directory is empty' }).waitFor();
  });

  test('a page whose server is not there says so', async () => {
    const atoll = await startAtoll(SERVERS);
    cleanups.push(atoll.stop);
    await goTo(page, atoll.address, 'lake');
    await page.getByRole('heading', { name: 'memorylake is not running here' }).waitFor();
    await expectAccessible(page);
  });
});
