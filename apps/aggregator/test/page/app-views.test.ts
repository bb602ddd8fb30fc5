import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { executablePath, filterOf, launchBrowser, type RunningAtoll, startAtoll } from './open-page.ts';

const HOST = fileURLToPath(new URL('../fixtures/app-host.mjs', import.meta.url));

interface View {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly app: string;
  readonly expectDrawn: (frame: FrameLocator) => Promise<void>;
}

const VIEWS: readonly View[] = [
  {
    tool: 'plot_tensor',
    input: { name_or_uuid: 'waves', kind: 'heatmap' },
    app: 'plot-view',
    async expectDrawn(frame) {
      const picture = frame.locator('img');
      await expect
        .poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
        .toBeGreaterThan(50);
      await frame.getByText("Heatmap of tensor 'waves'", { exact: false }).waitFor();
      expect(await frame.locator('p').textContent()).not.toContain('{');
    },
  },
  {
    tool: 'search_memory',
    input: { query: 'when does the ferry leave' },
    app: 'search-view',
    async expectDrawn(frame) {
      await frame.locator('mark', { hasText: 'ferry' }).first().waitFor();
      // What stands in a document stays text.
      await frame.getByText('<b>nine</b>').waitFor();
    },
  },
  {
    tool: 'embedding_similarity',
    input: { query: 'a small cat', texts: ['the stock market', 'a kitten'] },
    app: 'similarity-view',
    async expectDrawn(frame) {
      await frame.getByText('Nearest to: a small cat').waitFor();
      expect(await frame.locator('li').first().textContent()).toContain('a kitten');
    },
  },
];

describe("the views, in a host on the protocol's own bridge", {
  timeout: 120_000,
  ...requires(executablePath, 'chromium'),
}, () => {
  let atoll: RunningAtoll;
  let browser: Browser;
  let client: Client;
  let page: Page;
  let host: string;

  beforeAll(async () => {
    atoll = await startAtoll({ servers: { memorylake: {}, 'tensor-directory': {}, 'cortex-embeddings': {} } });
    browser = await launchBrowser();
    const bundle = await build({
      entryPoints: [HOST],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
    });
    host = bundle.outputFiles[0]!.text;
    client = new Client({ name: 'host', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${atoll.address}mcp`)));
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    await call('upload_tensor', {
      name: 'waves',
      description: '',
      tensor_data: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    });
    await call('add_memory', { name: 'harbour.md', text: 'The ferry leaves at <b>nine</b>.' });
  }, 120_000);
  afterAll(async () => {
    await client?.close();
    await browser?.close();
    await atoll?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.addScriptTag({ content: host });
    return () => page.close();
  });

  test.each(VIEWS)(
    '$tool is drawn, in both themes, in a frame as large as it needs',
    async ({ tool, input, app, expectDrawn }) => {
      const { tools } = await client.listTools();
      const { resourceUri } = tools.find(({ name }) => name === tool)!._meta!.ui as { resourceUri: string };
      const { contents } = await client.readResource({ uri: resourceUri });
      const html = (contents[0] as { text: string }).text;
      const result = await client.callTool({ name: tool, arguments: input });
      for (const theme of ['light', 'dark']) {
        await page.evaluate(
          (all) => (globalThis as unknown as { show(...given: unknown[]): Promise<void> }).show(...all),
          [html, theme, input, result],
        );
        const frame = page.frameLocator('iframe');
        await expectDrawn(frame);
        expect(await page.evaluate('seen.app')).toMatchObject({ name: app });
        expect(
          await frame.locator('html').evaluate((root: { style: { colorScheme: string } }) => root.style.colorScheme),
        ).toBe(theme);
        await expect
          .poll(() => page.evaluate<number>('document.querySelector("iframe").clientHeight'))
          .toBeGreaterThan(60);
        for (const chart of await frame.locator('.chart').all()) {
          expect(await filterOf(chart)).toContain(theme === 'dark' ? 'invert' : 'none');
        }
        if (process.env.ATOLL_TEST_IMAGES)
          await page.screenshot({ path: `${process.env.ATOLL_TEST_IMAGES}/${app}-${theme}.png` });
      }
      await page.evaluate("bridge.setHostContext({ theme: 'light' })");
      const root = page.frameLocator('iframe').locator('html');
      await expect
        .poll(() => root.evaluate((html: { style: { colorScheme: string } }) => html.style.colorScheme))
        .toBe('light');
      expect(await page.evaluate('bridge.teardownResource({})')).toBeDefined();
    },
  );
});
