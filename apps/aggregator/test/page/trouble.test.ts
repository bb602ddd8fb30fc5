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
