import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { executablePath, expectLegible, goTo, launchBrowser, type RunningAtoll, startAtoll } from './open-page.ts';

describe('the first minutes', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  const home = mkdtempSync(join(tmpdir(), 'atoll-home-'));
  let atoll: RunningAtoll;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    mkdirSync(join(home, '.cursor'));
    const env = { HOME: home, CORTEX_HUB_URL: 'http://127.0.0.1:9/' };
    atoll = await startAtoll({ servers: { memorylake: {}, 'cortex-embeddings': {} } }, { env });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await atoll?.stop();
    rmSync(home, { recursive: true, force: true });
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

  const open = (route: string) => goTo(page, atoll.address, route);

  test('an empty Atoll offers samples, answers a question about them and connects a client', async () => {
    await open('');
    const steps = page.getByRole('region', { name: 'First steps' });
    expect(await steps.getByLabel('Your question').isDisabled()).toBe(true);
    await expectLegible(page);
    await steps.getByRole('button', { name: 'four sample files' }).click();
    for (const name of ['harbour-handbook.pdf', 'council-minutes.md', 'catches-2026.xlsx', 'passengers.csv']) {
      await steps.locator('.uploads .ready', { hasText: name }).waitFor();
    }
    await steps.getByRole('button', { name: 'When does the last ferry leave on Fridays?' }).click();
    await steps.getByText('21:40').waitFor();
    await steps.getByRole('link', { name: /handbook\.pdf, page 1|minutes\.md, lines/ }).waitFor();
    await steps.getByRole('button', { name: 'Connect Cursor' }).click();
    await steps.getByText(/Start Cursor again/).waitFor();
    expect(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain('"atoll"');
    await expectLegible(page);
    await steps.getByRole('button', { name: 'Hide these steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.upstream').first().waitFor();
    await page.getByText(/behind one endpoint/).waitFor();
    expect(await steps.count()).toBe(0);
  });

  test('whoever has documents already is not greeted as a newcomer', async () => {
    await open('lake');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('tide') });
    await page.locator('.uploads .ready').waitFor();
    await open('');
    await page.getByText(/behind one endpoint/).waitFor();
    await page.locator('.first-steps').waitFor({ state: 'detached' });
  });

  test('the settings show what runs, what it keeps and whether it works, and make a token that is shown once', async () => {
    await open('settings');
    await page
      .getByRole('region', { name: 'Health' })
      .getByText(/checks passed/)
      .waitFor();
    await page.getByRole('region', { name: 'Data folder' }).getByText('memorylake', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Settings in use' }).getByText('callsPerMinute').waitFor();
    const tokens = page.getByRole('region', { name: 'Tokens' });
    await tokens.getByLabel('New token for').fill('ann');
    await tokens.getByRole('button', { name: 'Create' }).click();
    await tokens.getByText('This is shown once').waitFor();
    const token = await tokens.locator('pre').textContent();
    expect(token!.length).toBeGreaterThan(30);
    await tokens.getByRole('listitem').filter({ hasText: 'ann' }).waitFor();
    await expectLegible(page);
    await tokens.getByLabel('New token for').fill('ann');
    await tokens.getByRole('button', { name: 'Create' }).click();
    await tokens.getByRole('alert').getByText('already a token').waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Tokens' }).getByText('ann').waitFor();
    expect(await page.content()).not.toContain(token);
    expect(readFileSync(atoll.configFile, 'utf8')).not.toContain(token);
  });

  test('a model that cannot be had says why, and one that is there is chosen', async () => {
    await open('embeddings');
    const models = page.getByRole('region', { name: 'Models' });
    await models
      .getByRole('button', { name: 'Install', exact: false })
      .filter({ hasText: /multilingual-e5-small$/ })
      .click();
    await models.getByRole('alert').getByText('multilingual-e5-small was not installed').waitFor();
    await expectLegible(page);
    expect(existsSync(join(home, '.cursor'))).toBe(true);
  });

  test('a tool is found by what it does, whatever its words', async () => {
    await open('tools');
    await page.getByLabel('Search tools').fill('how alike are two sentences');
    await page.getByRole('heading', { name: 'Related by meaning' }).waitFor();
    await page.getByRole('link', { name: /embedding_similarity/ }).waitFor();
    await expectLegible(page);
  });

  test('texts are compared by a chosen model, and across languages where one can', async () => {
    await open('embeddings');
    const model = page.getByRole('combobox', { name: 'Model' });
    await model.selectOption('all-MiniLM-L6-v2');
    await page.getByText('To compare texts across languages, install a model').waitFor();
    const asked = page.waitForRequest((request) => (request.postData() ?? '').includes('"embedding_batch"'));
    await page.getByRole('button', { name: 'Draw a map of these texts' }).click();
    expect((await asked).postDataJSON().params.arguments.model).toBe('all-MiniLM-L6-v2');
    await page.getByRole('application', { name: /Map of 6 texts/ }).waitFor();
    // Installing a model takes a network: here it is only listed as installed.
    await page.route('**/mcp', async (route) => {
      if (route.request().postDataJSON().params.name !== 'atoll_admin_setup') return route.continue();
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(
          /("name":"use-multilingual-v3","kind":"embedding","installed":)false/g,
          '$1true',
        ),
      });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Example in several languages' }).click();
    expect(await model.inputValue()).toBe('use-multilingual-v3');
    expect(await page.getByLabel('One text per line').inputValue()).toContain('渡轮九点出发');
    await expectLegible(page);
  });

  test('Python is asked for by the same name in every language', async () => {
    await page.addInitScript("localStorage.setItem('atoll.language', 'zh')");
    const asked: unknown[] = [];
    // As where there is no Python. Its installation is not passed on: it would download it.
    await page.route('**/mcp', async (route) => {
      const { id, params } = route.request().postDataJSON();
      if (params?.name === 'atoll_admin_setup') {
        const response = await route.fetch();
        const text = await response.text();
        return route.fulfill({ response, body: text.replace(/"python":\{[^}]*\}/g, '"python":{"state":"missing"}') });
      }
      if (params?.name !== 'atoll_admin_install') return route.continue();
      asked.push(params.arguments);
      await route.fulfill({ json: { jsonrpc: '2.0', id, error: { code: -32603, message: 'not today' } } });
    });
    await open('settings');
    await page.getByRole('button', { name: '安装 Python' }).click();
    await page.getByRole('alert').getByText('not today').waitFor();
    expect(asked).toEqual([{ what: 'python' }]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('Ctrl-K goes anywhere by a few letters, with the keyboard alone', async () => {
    await open('');
    await page.locator('.upstream').first().waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /Go to/ });
    await field.fill('harbour');
    await page.getByRole('option', { name: /harbour-handbook\.pdf/ }).waitFor();
    await expectLegible(page);
    await field.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'harbour-handbook.pdf' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('settings');
    await field.press('ArrowDown');
    await field.press('ArrowUp');
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('no such thing');
    await page.getByText('Nothing has these words').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await open('tools');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Search tools');
  });
});
