import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { startModelService } from '../fixtures/model-service.mjs';
import {
  executablePath,
  expectAccessible,
  expectLegible,
  filterOf,
  goTo,
  launchBrowser,
  overflowOf,
  type RunningAtoll,
  startAtoll,
} from './open-page.ts';

const AWKWARD = fileURLToPath(new URL('../fixtures/awkward-server.mjs', import.meta.url));
const CLASSIFIER = fileURLToPath(new URL('../fixtures/classifier.onnx', import.meta.url));
const ROUTES = [
  '',
  'activity',
  'servers',
  'tools',
  'lake',
  'lake/code',
  'tensors',
  'embeddings',
  'msty',
  'connect',
  'settings',
];

if (process.env.CI) test('CI has a browser', () => expect(executablePath).toBeDefined());

describe('the page, in a browser', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  let atoll: RunningAtoll;
  let service: Awaited<ReturnType<typeof startModelService>>;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    service = await startModelService({ 'llama3.2:3b': 200, 'qwen2.5-coder:7b': 100 });
    atoll = await startAtoll({
      servers: {
        memorylake: {},
        'tensor-directory': {},
        'cortex-embeddings': {},
        'msty-admin': { ollamaPort: service.port, home: '/nonexistent' },
      },
      mcpServers: { awkward: { command: process.execPath, args: [AWKWARD] }, gone: { command: '/no/such/program' } },
    });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await atoll?.stop();
    await service?.stop();
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

  const open = (route: string) => goTo(page, atoll.address, route);
  const run = () => page.getByRole('button', { name: 'Run', exact: true }).click();
  const drop = (name: string, content: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

  test('the overview shows every server, moves by itself, and says what to do about one that is down', async () => {
    await open('');
    const card = page.locator('.upstream', { hasText: 'tensor-directory' });
    await card.getByText(/^up for/).waitFor();
    expect(await page.locator('.upstream').count()).toBe(6);
    await page.getByText(/^A model that is given the list of tools reads about [\d,]+ tokens\.$/).waitFor();
    const gone = page.locator('.upstream', { hasText: 'gone' });
    await gone.getByText('"/no/such/program" could not be started.').waitFor();
    await gone.getByText(/Check its "command"/).waitFor();
    await expectAccessible(page);
    const other = await browser.newPage();
    await other.goto(`${atoll.address}#/tools/list_tensors`);
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
    await run();
    await page.getByText('Tensor uploaded successfully').first().waitFor();
    await page.getByLabel('tensor_data required').fill('[]');
    await run();
    await page.getByText("tensor_data for 'waves' must be a non-empty list.").first().waitFor();
    await expectAccessible(page);
  });

  test('what was tried is kept and can be taken up again, and copied without the token', async () => {
    await open('tools/awkward_references');
    await page.getByLabel('x required').fill('1.5');
    await page.getByLabel('y required').fill('2');
    await page.getByLabel('named required').fill('Ann');
    await page.getByRole('button', { name: '+ Add' }).click();
    await page.getByLabel('x required').nth(1).fill('3');
    await page.getByLabel('y required').nth(1).fill('4');
    await run();
    const given = { at: { x: 1.5, y: 2 }, named: 'Ann', path: [{ x: 3, y: 4 }] };
    await page.getByText('Raw answer').click();
    expect(
      JSON.parse((await page.locator('details', { hasText: 'Raw answer' }).locator('pre').textContent()) ?? ''),
    ).toMatchObject({
      structuredContent: { given },
    });
    await page.reload();
    await page.getByText('Tried before (1)').click();
    await page.locator('.history button').click();
    expect(await page.getByLabel('named required').inputValue()).toBe('Ann');
    await page.getByText('Raw request').click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied ✓' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('"named":"Ann"');
    await expectAccessible(page);
  });

  test('a form offers each shape of a value, and the browser holds it to the limits', async () => {
    await open('tools/awkward_choices');
    await page.getByLabel('Shape of target').selectOption({ label: 'An address' });
    await page.getByLabel('url required').fill('https://example.org/');
    await page.getByLabel('Shape of ids').selectOption({ label: 'array' });
    await page.getByRole('button', { name: '+ Add' }).click();
    await page.getByLabel('1 required').fill('first');
    const limit = page.getByLabel('limit optional');
    await limit.fill('11');
    expect(await limit.evaluate((field: { checkValidity(): boolean }) => field.checkValidity())).toBe(false);
    await limit.fill('7');
    await run();
    await page.getByText('Raw answer').click();
    expect(
      JSON.parse((await page.locator('details', { hasText: 'Raw answer' }).locator('pre').textContent()) ?? ''),
    ).toMatchObject({
      structuredContent: { given: { target: { kind: 'url', url: 'https://example.org/' }, ids: ['first'], limit: 7 } },
    });
    await expectAccessible(page);
  });

  test('a form begins with what is plain, and with the example of the tool where it has one', async () => {
    await open('tools/search_memory');
    const first = page.locator('.trial form .field').first();
    expect(await first.getByLabel('query optional', { exact: true }).inputValue()).not.toBe('');
    await first.getByLabel('query optional', { exact: true }).fill('ferry');
    const more = page.locator('details', { hasText: 'more optional fields' });
    expect(await more.getByLabel('as_of optional').isVisible()).toBe(false);
    await more.getByText('more optional fields').click();
    await more.getByLabel('as_of optional').fill('2026-01-01');
    await more.getByLabel('as_of optional').fill('');
    // What is cleared again does not close over the person.
    expect(await more.getByLabel('as_of optional').isVisible()).toBe(true);
    await open('tools/embedding_similarity');
    await expect.poll(() => page.getByLabel('query required').inputValue()).toBe('a cat');
    await run();
    await page.getByRole('heading', { name: /Answer/ }).waitFor();
  });

  test('fields of an object that may be left out hold nobody up', async () => {
    await open('tools/search_memory');
    await page.getByLabel(/^query optional/).fill('ferry');
    await run();
    await page.getByRole('heading', { name: /Answer/ }).waitFor();
    expect(await page.locator('.notice.bad').count()).toBe(0);
  });

  test('a list of records in an answer is shown as a table', async () => {
    await open('tools/embedding_rerank');
    await page.getByLabel('query required').fill('ferry');
    // The tool's example asks for the best one only.
    await page.getByLabel('top_n optional').fill('');
    for (const [at, text] of ['the ferry leaves at nine', 'boil the pasta'].entries()) {
      // The two documents of the tool's example are there already.
      await page.getByLabel(`${at + 1} required`).fill(text);
    }
    await run();
    const table = page.getByRole('group', { name: 'results' });
    await table.getByRole('columnheader', { name: 'score' }).waitFor();
    expect(await table.getByRole('row').count()).toBe(3);
    await expectAccessible(page);
  });

  test('every tool of every upstream has a form', async () => {
    await open('tools');
    const links = await page.locator('.list li a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.length).toBeGreaterThan(90);
    for (const link of links) {
      await page.evaluate((hash) => void Object.assign(globalThis, { location: hash }), link);
      await page
        .locator('.trial')
        .filter({ hasText: link!.split('/').at(-1)! })
        .getByRole('button', { name: 'Run' })
        .waitFor();
    }
  });

  test('progress is shown while a tool works, and it can be cancelled', async () => {
    await open('tools/awkward_slow');
    await page.getByLabel('steps optional').fill('500');
    await run();
    await page.getByText(/of 500: step/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
  });

  test('a tool that asks back is answered in the page', async () => {
    await open('tools/awkward_ask_name');
    await run();
    await page.getByText('Who are you?').waitFor();
    await page.getByLabel('name required').fill('Ann');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Hello Ann').first().waitFor();
  });

  test('a tensor is found, drawn, sliced and shown as values', async () => {
    await open('tensors');
    await page.getByLabel('Type').selectOption('int64');
    await page.getByLabel('Axes').fill('2');
    await page.getByRole('link', { name: /waves/ }).click();
    await page.getByRole('heading', { level: 2, name: 'waves' }).waitFor();
    for (const kind of ['heatmap', 'line', 'histogram']) {
      await page.getByRole('button', { name: kind }).click();
      await page.getByAltText(`The tensor as ${kind}`).waitFor();
    }
    const picture = page.getByRole('img', { name: 'The tensor as histogram' });
    expect(await filterOf(picture)).toBe('none');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await filterOf(picture)).toContain('invert');
    await page.getByLabel('Theme').selectOption('light');
    expect(await filterOf(picture)).toBe('none');
    await page.getByRole('button', { name: 'values' }).click();
    await page.getByLabel('Slice').fill('1:3, 0');
    await page.getByRole('cell', { name: '5', exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('a model is run on a chosen tensor: before, after, and where the result came from', async () => {
    await open('tools/upload_model');
    await page.getByLabel('name required').fill('twice');
    await page.getByLabel('description required').fill('two times its input');
    await page.getByLabel('model_code optional').fill(TWICE);
    await page.getByLabel('language optional').selectOption('javascript');
    await run();
    await page.getByText('Model uploaded successfully').first().waitFor();
    await open('tensors/models');
    await page.getByLabel('Tensor', { exact: true }).fill('waves');
    await run();
    await page.getByText('Before: waves').waitFor();
    await page
      .getByText(/^After:/)
      .getByRole('link')
      .click();
    await page.getByRole('group', { name: /Made by the model twice from/ }).waitFor();
    await page.getByRole('button', { name: 'values' }).click();
    await page.getByRole('cell', { name: '12', exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('a file is dropped in, found as one types, and opened at its place; markup in it stays text', async () => {
    await open('lake');
    await drop('harbour.md', '# Harbour\n\nThe ferry leaves at nine. <script>document.title = "broken"</script>\n');
    await page.locator('.uploads .ready').waitFor();
    await page.getByLabel('Search your files').fill('when does the ferry leave');
    const hit = page.locator('.hits li').first();
    await hit.locator('mark').first().waitFor();
    await expectAccessible(page);
    await hit.getByRole('link', { name: /lines/ }).first().click();
    await page.locator('pre.document', { hasText: '<script>' }).locator('mark').first().waitFor();
    expect(await page.title()).not.toBe('broken');
  });

  test('a file that cannot be read is listed with the reason', async () => {
    await open('lake');
    await drop('broken.pdf', '%PDF-1.4 and nothing more');
    await page.locator('.uploads .failed', { hasText: 'It is broken' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'broken.pdf' }).getByText('It is broken').last().waitFor();
    await expectAccessible(page);
  });

  test('a sheet is shown as a table, and code runs in a cell', async () => {
    await open('lake');
    await drop('sales.csv', 'region,amount\nnorth,120\nsouth,80\n');
    await page.locator('.uploads .ready').getByRole('link', { name: 'sales.csv' }).click();
    await page.getByRole('region', { name: 'Sheet' }).getByRole('cell', { name: 'north' }).waitFor();
    await page.getByRole('link', { name: 'Python' }).click();
    const code = page.getByRole('region', { name: 'Python on files' });
    await code.getByLabel('Start with a document').selectOption({ label: 'sales.csv' });
    await code.getByText(/for name, frame in get_memory_tables/).waitFor();
    await code.getByLabel('Python code').fill('total = 120 + 80\nprint(total * 2)');
    await code.getByRole('button', { name: 'Run' }).click();
    // Where no Python can be run safely, the cell says so in words.
    await code.getByText('400').or(code.getByRole('alert')).waitFor();
    await expectAccessible(page);
  });

  test('texts become a map that zooms, with neighbours and a matrix', async () => {
    // All of it is in sight: a page that scrolls under the mouse would point at other dots.
    await page.setViewportSize({ width: 1280, height: 1800 });
    await open('embeddings');
    await page.getByRole('button', { name: 'Draw a map of these texts' }).click();
    const map = page.getByRole('application', { name: /Map of 6 texts/ });
    await map.waitFor();
    await expect.poll(() => dotOf(map)).toBeDefined();
    await map.hover({ position: (await dotOf(map))! });
    const near = page.locator('.map ol li');
    await expect.poll(() => near.count()).toBe(5);
    await page.getByLabel('Find a text').fill('stock prices');
    await page.locator('.found-texts').getByRole('button', { name: 'Stock prices fell on Monday' }).click();
    await near.first().getByText('Shares lost value').waitFor();
    // The canvas is drawn in the frame after the list.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const before = await dotOf(map);
    await map.press('+');
    await expect.poll(() => dotOf(map)).not.toEqual(before);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => dotOf(map)).toEqual(before);
    await page.getByRole('heading', { name: 'Similarity' }).waitFor();
    await expectAccessible(page);
  });

  test('a model of ONNX shows its operators as a graph, and what each takes and gives', async () => {
    await open('tools/upload_model');
    await page.getByLabel('name required').fill('two layers');
    await page.getByLabel('description required').fill('<img src=x onerror="document.title=1">');
    await page.getByLabel('model_onnx optional').fill(readFileSync(CLASSIFIER).toString('base64'));
    await run();
    await page.getByText('Model uploaded successfully').first().waitFor();
    await open('tensors/models');
    await page.getByRole('link', { name: 'two layers' }).click();
    const graph = page.getByRole('group', { name: 'Graph of the model two layers' });
    await graph.getByRole('button', { name: 'Relu' }).click();
    await page.getByText('Relu takes h and gives r.').waitFor();
    expect(await graph.getByRole('button').count()).toBe(6);
    expect(await graph.locator('path').count()).toBe(5);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await page.locator('main img').count()).toBe(0);
    await expectLegible(page);
    await open('tensors/models');
    await page.locator('form select').selectOption({ label: 'two layers' });
    await expect.poll(() => page.getByLabel('Its role in the model').inputValue()).toBe('soundings');
  });

  test('Msty shows services and models, chats, and benchmarks a model with progress', async () => {
    await open('msty');
    await page.getByText(`answers on port ${service.port}`).waitFor();
    await page.getByRole('cell', { name: 'llama3.2:3b' }).waitFor();
    await page.getByLabel('Message').fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/the water inside the ring stays calm/).waitFor();
    await page.getByLabel('Model to measure').selectOption('qwen2.5-coder:7b');
    await page.getByRole('button', { name: 'Benchmark' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
    await page.getByLabel('Runs').fill('1');
    await page.getByRole('button', { name: 'Benchmark' }).click();
    const chart = page.locator('dl[aria-label="Tokens per second by model"]');
    await chart.getByText('qwen2.5-coder:7b').waitFor();
    await page.locator('dl[aria-label="Latency by length of prompt"]').getByText('500 tokens').waitFor();
    await expectAccessible(page);
  });

  test('Connect has something to copy for each client, and one click where a client takes one', async () => {
    await open('connect');
    for (const client of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Windsurf']) {
      await page.getByRole('button', { name: `Copy for ${client}` }).waitFor();
    }
    const link = await page.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href');
    const config = decodeURIComponent(/config=(.+)$/.exec(link!)![1]!);
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({ url: `${atoll.address}mcp` });
    await expectAccessible(page);
  });

  test.each([
    ['light', 380],
    ['dark', 380],
    ['dark', 1400],
  ] as const)('it is legible in the %s, %i pixels wide', async (colorScheme, width) => {
    await page.setViewportSize({ width, height: 780 });
    await page.emulateMedia({ colorScheme });
    for (const route of ROUTES) {
      await open(route);
      expect(await overflowOf(page), route).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  });

  test('the keyboard alone reaches every page, and shows where it is', async () => {
    await open('');
    await page.locator('.upstream').first().waitFor();
    await page.locator('body').press('Tab');
    expect(await focused()).toBe('Skip to the content');
    for (const name of ['Atoll', 'Go to', 'Overview', 'Activity', 'Servers', 'Try a tool', 'Memory lake', 'Tensors']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toContain(name);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tensors' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  const focused = () => page.evaluate<string>('document.activeElement.textContent');
});

/** Of a canvas, as much as is looked at here; the browser's own types are not among those of the tests. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): { getImageData(...place: number[]): { readonly data: Uint8ClampedArray } };
}

/** Where the first dot of a map is drawn: the first place in the colour of dots with the same colour around it. */
const dotOf = (map: Locator): Promise<{ x: number; y: number } | undefined> =>
  map.evaluate((canvas: Canvas) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const isDot = (x: number, y: number) => {
      const [red, green, blue] = data.subarray(4 * (y * width + x));
      return red === 10 && green === 110 && blue === 122;
    };
    for (let y = 3; y < height - 3; y++)
      for (let x = 3; x < width - 3; x++)
        if (isDot(x, y) && isDot(x - 3, y) && isDot(x + 3, y) && isDot(x, y + 3)) return { x, y };
    return undefined;
  });

const TWICE = `function predict(inputs) {
  const input = Object.values(inputs)[0];
  return { dtype: 'float64', shape: input.shape, data: Float64Array.from(input.data, (value) => 2 * Number(value)) };
}`;
