import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import {
  executablePath,
  expectLegible,
  goTo,
  launchBrowser,
  overflowOf,
  type RunningAtoll,
  startAtoll,
} from './open-page.ts';

const TITLES: Record<string, readonly [route: string, title: string][]> = {
  'de-DE': [
    ['', 'Übersicht'],
    ['activity', 'Aktivität'],
    ['servers', 'Server'],
    ['servers/new', 'Server'],
    ['tools/search_memory', 'Ausprobieren'],
    ['lake', 'Wissensspeicher'],
    ['lake/tables', 'Wissensspeicher'],
    ['lake/notes', 'Wissensspeicher'],
    ['lake/collections', 'Wissensspeicher'],
    ['tensors', 'Tensoren'],
    ['embeddings', 'Embeddings'],
    ['msty', 'Msty'],
    ['connect', 'Verbinden'],
  ],
  'zh-CN': [
    ['', '概览'],
    ['activity', '活动'],
    ['servers/new', '服务器'],
    ['tools/search_memory', '试用工具'],
    ['lake', '知识库'],
    ['tensors', '张量'],
    ['embeddings', '嵌入'],
    ['connect', '连接'],
  ],
};

describe('the page in other languages', { timeout: 240_000, ...requires(executablePath, 'chromium') }, () => {
  let atoll: RunningAtoll;
  let browser: Browser;

  beforeAll(async () => {
    const servers = {
      memorylake: {},
      'tensor-directory': {},
      'cortex-embeddings': {},
      'msty-admin': { home: '/none' },
    };
    atoll = await startAtoll({ servers });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await atoll?.stop();
  });

  async function inPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(60_000);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await use(page);
    await page.close();
    expect(faults).toEqual([]);
  }

  test.each(Object.keys(TITLES))('a browser in %s gets each page in its language, down to 360 pixels', (locale) =>
    inPage({ locale, viewport: { width: 360, height: 740 } }, async (page) => {
      for (const [route, title] of TITLES[locale]!) {
        await goTo(page, atoll.address, route);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        expect([route, await overflowOf(page)]).toEqual([route, 0]);
      }
      expect(await page.evaluate('document.documentElement.lang')).toBe(locale.slice(0, 2));
      await goTo(page, atoll.address, 'settings');
      await expectLegible(page);
    }),
  );

  test('a language is chosen in the settings and kept, and the browser decides again', () =>
    inPage({ locale: 'en-US' }, async (page) => {
      await goTo(page, atoll.address, 'settings');
      await page.getByLabel('Language of this page').selectOption({ label: 'Deutsch' });
      await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
      await goTo(page, atoll.address, '');
      await page.getByText(/4 Server bereit, \d+ Werkzeuge hinter einem Endpunkt/).waitFor();
      await page.getByRole('link', { name: 'einen Client verbinden' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Verbinden' }).waitFor();
      await goTo(page, atoll.address, 'settings');
      await page.getByLabel('Sprache dieser Seite').selectOption({ label: 'Wie im Browser' });
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    }));

  test.each([
    ['cannot be loaded', (route: Route) => route.abort()],
    ['does not come', () => undefined],
  ] as const)('where a language file %s the page is in English', async (_, answer) => {
    const page = await browser.newPage({ locale: 'de-DE' });
    await page.route(/\/assets\/de-[\w-]+\.js$/, answer);
    await goTo(page, atoll.address, 'activity');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.close();
  });

  test('times and numbers are written as the language of the page writes them', () =>
    inPage({ locale: 'en-US' }, async (page) => {
      await page.addInitScript("localStorage.setItem('atoll.language', 'de')");
      await page.route('**/mcp', async (route) => {
        if (!route.request().postData()?.includes('atoll_admin_activity')) return route.continue();
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace(/("ms":)[\d.]+/g, '$13.4') });
      });
      await goTo(page, atoll.address, 'tools/list_tensors');
      await page.getByRole('button', { name: 'Ausführen' }).click();
      await page.getByRole('heading', { name: /Antwort/ }).waitFor();
      await goTo(page, atoll.address, 'activity');
      const row = page.getByRole('row', { name: /list_tensors/ }).first();
      await row.getByRole('cell', { name: '3,4 ms' }).waitFor();
      expect(await row.locator('td').last().textContent()).toMatch(/^\d\d:\d\d:\d\d$/);
      await goTo(page, atoll.address, 'settings');
      await page
        .getByText(/\d,\d+ [kM]B/)
        .first()
        .waitFor();
    }));

  test('tools are listed by their server, and what is not installed takes one line', () =>
    inPage({}, async (page) => {
      await goTo(page, atoll.address, 'tools/search_memory');
      const lake = page.getByRole('heading', { level: 2, name: 'memorylake' }).locator('..');
      await lake.getByRole('link', { name: /search_memory/ }).waitFor();
      expect(await lake.getByRole('link', { name: /upload_tensor/ }).count()).toBe(0);
      const cortex = page.getByRole('heading', { level: 2, name: 'cortex-embeddings' }).locator('..');
      await cortex.getByRole('link', { name: 'embedding_generate' }).waitFor();
      await goTo(page, atoll.address, 'msty');
      await page.getByText('Neither Msty nor a model service was found').waitFor();
      expect(await page.getByLabel('Message').isVisible()).toBe(false);
      await page.getByText('Where Atoll looked').click();
      await page.getByText('not running on port 11434').waitFor();
      await expectLegible(page);
    }));
});
