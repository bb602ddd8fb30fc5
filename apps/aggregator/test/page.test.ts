import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

test.runIf(process.env.CI)('CI has a browser', () => expect(executablePath).toBeDefined());

describe.skipIf(executablePath === undefined)('the page, in a browser', { timeout: 120_000 }, () => {
  let address: string;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-page-'));
  const atoll = spawn(process.execPath, [cli, '--http', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });

  beforeAll(async () => {
    for await (const line of createInterface({ input: atoll.stderr })) {
      if (!line.includes('"msg":"listening"')) continue;
      address = (JSON.parse(line) as { url: string }).url.replace(/mcp$/, '');
      break;
    }
    atoll.stderr.resume();
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    atoll.kill('SIGTERM');
    await once(atoll, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  async function open(route: string): Promise<void> {
    await page.goto(`${address}#/${route}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  async function expectAccessible(): Promise<void> {
    await page.evaluate(axe);
    const violations = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))',
    );
    expect(violations).toEqual([]);
  }

  test('the overview shows every server, and its figures move by themselves', async () => {
    await open('');
    const card = page.locator('.upstream', { hasText: 'tensor-directory' });
    await card.getByText(/^up for/).waitFor();
    expect(await page.locator('.upstream').count()).toBe(4);
    await expectAccessible();
    const other = await browser.newPage();
    await other.goto(`${address}#/tools/list_tensors`);
    await other.getByRole('button', { name: 'Run' }).click();
    await other.getByRole('heading', { name: /Answer/ }).waitFor();
    await other.close();
    await expect.poll(() => card.locator('dd').first().textContent(), { timeout: 60_000 }).not.toBe('0');
  });

  test('a tool is tried through its form, and its failure is a sentence', async () => {
    await open('tools/upload_tensor');
    await page.getByLabel('name required').fill('waves');
    await page.getByLabel('description required').fill('three by two');
    await page.getByLabel('tensor_data required').fill('[[1,2],[3,4],[5,6]]');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Tensor uploaded successfully').first().waitFor();
    await page.getByLabel('tensor_data required').fill('[]');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText("tensor_data for 'waves' must be a non-empty list.").first().waitFor();
    await expectAccessible();
  });

  test('a tensor is found, drawn, sliced and shown as values', async () => {
    await open('tensors');
    await page.getByRole('link', { name: /waves/ }).click();
    await page.getByRole('heading', { level: 2, name: 'waves' }).waitFor();
    await page.getByAltText(/The tensor as/).waitFor();
    await page.getByRole('button', { name: 'values' }).click();
    await page.getByLabel('Slice').fill('1:3, 0');
    await page.getByRole('cell', { name: '5', exact: true }).waitFor();
    await expectAccessible();
  });

  test('a file is dropped in, found as one types, and opened at its place; markup in it stays text', async () => {
    await open('lake');
    const text = '# Harbour\n\nThe ferry leaves at nine. <script>document.title = "broken"</script>\n';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'harbour.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
    await page.locator('.uploads .ready').waitFor();
    await page.getByLabel('Search your files').fill('when does the ferry leave');
    const hit = page.locator('.hits li').first();
    await hit.locator('mark').first().waitFor();
    await expectAccessible();
    await hit.getByRole('link', { name: /lines/ }).first().click();
    await page.locator('pre.document', { hasText: '<script>' }).waitFor();
    expect(await page.title()).not.toBe('broken');
  });

  test('SQL runs on a sheet', async () => {
    await open('lake');
    const buffer = Buffer.from('region,amount\nnorth,120\nsouth,80\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer });
    await page.locator('.uploads .ready').waitFor();
    await page.getByLabel('SQL').fill('SELECT sum(amount) AS total FROM sales');
    await page
      .getByRole('region', { name: 'SQL' })
      .or(page.locator('section', { hasText: 'SQL on tables' }))
      .getByRole('button', { name: 'Run' })
      .first()
      .click();
    await page.getByRole('cell', { name: '200' }).waitFor();
  });

  test('texts become a map with neighbours and a matrix', async () => {
    await open('embeddings');
    await page.getByRole('button', { name: 'Draw a map of these texts' }).click();
    await page.locator('.map circle').first().waitFor();
    await page.getByLabel('Neighbours of').selectOption({ label: 'The cat sleeps on the sofa' });
    await page.locator('.map ol li', { hasText: 'kitten' }).first().waitFor();
    await page.getByRole('heading', { name: 'Similarity' }).waitFor();
    await expectAccessible();
  });

  test('Msty and Connect say what there is', async () => {
    await open('msty');
    await page.getByText(/Msty is/).waitFor();
    await expectAccessible();
    await open('connect');
    await page.getByRole('heading', { name: 'Claude Desktop' }).waitFor();
    await expectAccessible();
  });

  test('it fits a phone and the dark', async () => {
    await page.setViewportSize({ width: 380, height: 780 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const route of ['', 'tools', 'lake', 'tensors', 'embeddings', 'msty', 'connect']) {
      await open(route);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, route).toBeLessThanOrEqual(0);
    }
    await expectAccessible();
  });
});
