import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { executablePath, expectLegible, goTo, launchBrowser, type RunningAtoll, startAtoll } from './open-page.ts';

const samples = fileURLToPath(new URL('../../../../packages/dashboard/web/public/assets/samples/', import.meta.url));
const HOSTILE = '<img src=x onerror="document.title=1">';

describe('the lake in the page', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-folder-'));
  let atoll: RunningAtoll;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    // The tensor directory has a tool list_versions too.
    const memorylake = { folders: [{ path: folder, collection: 'harbour' }] };
    atoll = await startAtoll({ servers: { 'tensor-directory': {}, memorylake } });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await atoll?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => void dialog.accept());
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const open = (route: string) => goTo(page, atoll.address, route);
  const drop = async (...files: { name: string; buffer: Buffer }[]) => {
    const given = files.map((file) => ({ ...file, mimeType: 'application/octet-stream' }));
    await page.locator('input[type=file]').setInputFiles(given);
  };
  const sample = (name: string) => ({ name: basename(name), buffer: readFileSync(`${samples}${name}`) });

  test('an empty lake says what would be there, also under its tables', async () => {
    await open('lake');
    await page.getByRole('heading', { name: 'The lake is empty' }).waitFor();
    await page.getByRole('link', { name: 'Tables and SQL' }).click();
    await page.getByRole('heading', { name: 'No tables yet' }).waitFor();
    await expectLegible(page);
  });

  test('of several files each shows its state, and one that failed can be tried again', async () => {
    await open('lake');
    await drop(sample('harbour-handbook.pdf'), { name: `${HOSTILE}.pdf`, buffer: Buffer.from('%PDF-1.4 no more') });
    await page.locator('.uploads .ready', { hasText: 'harbour-handbook.pdf' }).waitFor();
    const failed = page.locator('.uploads .failed', { hasText: HOSTILE });
    await failed.getByText('It is broken').waitFor();
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.getByText('It is broken').waitFor();
    await expectLegible(page);
    await page.getByRole('list', { name: 'Documents' }).getByText(HOSTILE).click();
    await page.getByRole('heading', { level: 2, name: HOSTILE }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('a passage of a PDF is marked on its page as printed, and the address leads there again', async () => {
    await open('lake');
    await page.getByLabel('Search your files').fill('price of a mooring for the season');
    await page
      .locator('.hits li', { hasText: 'harbour-handbook' })
      .getByRole('link', { name: /page 2/ })
      .first()
      .click();
    const picture = page.getByRole('img', { name: /Page 2/ });
    await picture.waitFor();
    const box = (await page.locator('.pdf-page .place').first().boundingBox())!;
    const paper = (await picture.boundingBox())!;
    expect(box.width).toBeGreaterThan(20);
    expect(box.x).toBeGreaterThanOrEqual(paper.x - 1);
    expect(box.x + box.width).toBeLessThanOrEqual(paper.x + paper.width + 1);
    await page.getByText('page 2 of 3').waitFor();
    await page.reload();
    await page.locator('.pdf-page .place').first().waitFor();
    await expectLegible(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('page 3 of 3').waitFor();
    await page.getByRole('img', { name: /Page 3/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  });

  test('rows that were found are marked in their sheet, under its own head', async () => {
    await open('lake');
    await drop(sample('catches-2026.xlsx'));
    await page.locator('.uploads .ready').waitFor();
    await page.getByLabel('Search your files').fill('catches June Outer Skerry crab');
    await page
      .locator('.hits li', { hasText: 'catches-2026' })
      .getByRole('link', { name: /sheet Catches, rows? / })
      .last()
      .click();
    const sheet = page.getByRole('region', { name: 'Sheet' });
    await sheet.getByRole('columnheader', { name: 'Species' }).waitFor();
    await sheet.locator('.found td').first().waitFor();
    await expectLegible(page);
    await page.getByRole('button', { name: 'Boats' }).click();
    await sheet.getByRole('cell', { name: 'Little Auk' }).waitFor();
  });

  test('a document is renamed, moved and tagged, and found by its collection and tag', async () => {
    await open('lake');
    await page.getByRole('link', { name: /sheet catches-2026/ }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('form', { name: 'Name, collection and tags' });
    await form.getByLabel('Collection').fill('fishing');
    await form.getByLabel('Tags').fill('2026, statistics');
    await expectLegible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'in fishing' }).click();
    await page.getByRole('heading', { name: '1 document' }).waitFor();
    expect(await page.getByLabel('Collection').inputValue()).toBe('fishing');
    await page.getByLabel('Tag', { exact: true }).fill('no such tag');
    await page.getByRole('heading', { name: /No document is in this collection/ }).waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('statistics');
    await page.getByText('#statistics').waitFor();
  });

  test('tables are browsed with their types, and SQL is completed, run and linked to', async () => {
    await open('lake/tables');
    const tables = page.getByRole('region', { name: 'Tables', exact: true });
    await tables.getByText('from catches-2026.xlsx').first().waitFor();
    await tables.getByLabel('Search tables and columns').fill('species');
    await tables.locator('summary').first().click({ force: true });
    const sql = page.getByRole('region', { name: 'SQL on tables' });
    const editor = sql.getByRole('textbox', { name: 'SQL' });
    await editor.click();
    await page.keyboard.type('SELECT Species, sum(Tonnes) AS total FROM catc');
    await page
      .getByRole('option', { name: /catches/i })
      .first()
      .waitFor();
    await expectLegible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.type('hes_2026_catches');
    await page.keyboard.type(' GROUP BY Species ORDER BY total DESC');
    await page.keyboard.press('Control+Enter');
    await sql.getByRole('columnheader', { name: 'total' }).waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete').count()).toBe(0);
    await sql.getByText('3 rows').waitFor();
    await sql.getByLabel('Vertical').selectOption('total');
    await sql.getByRole('button', { name: 'Draw' }).click();
    // Where what draws charts is not installed, a line says what to install.
    const chart = sql.getByRole('img', { name: 'bar chart of total by Species' });
    await chart.or(sql.getByRole('alert').getByText('npm install')).waitFor();
    await expectLegible(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await sql.getByRole('button', { name: 'Copy link' }).click();
    await sql.getByRole('button', { name: 'Copied ✓' }).waitFor();
    await page.goto(await page.evaluate<string>('navigator.clipboard.readText()'));
    await page.reload();
    await editor.getByText('GROUP BY').waitFor();
    // In place of all that is there, in one piece, as a paste would put it.
    await editor.fill('SELECT nothing FROM nowhere');
    await sql.getByRole('button', { name: 'Run' }).click();
    await sql.getByRole('alert').waitFor();
  });

  test('a note cites its place, says when that changed, and is superseded and forgotten', async () => {
    const timetable = (time: string) => ({
      name: 'timetable.md',
      buffer: Buffer.from(`# Ferry\n\nThe last ferry leaves at ${time}. ${HOSTILE}\n`),
    });
    await open('lake/notes');
    await page.getByRole('heading', { name: 'No notes yet' }).waitFor();
    await open('lake');
    await drop(timetable('21:40'));
    await page.locator('.uploads .ready').getByRole('link', { name: 'timetable.md' }).click();
    await page.locator('.document', { hasText: 'leaves at 21:40' }).waitFor();
    await page.getByRole('link', { name: 'Make a note' }).click();
    const form = page.getByRole('form', { name: 'New note' });
    await form.getByText('It will cite timetable.md').waitFor();
    await form.getByLabel('New note').fill(`The last ferry leaves at 21:40. ${HOSTILE}`);
    await form.getByLabel('Tags').fill(`ferry, ${HOSTILE}`);
    await form.getByRole('button', { name: 'Remember' }).click();
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByText('still says so').waitFor();
    await expectLegible(page);
    await open('lake');
    await drop(timetable('20:15'));
    await page.locator('.uploads .ready').getByRole('link', { name: 'timetable.md' }).click();
    await page.getByText('2 versions').click();
    await page.getByRole('button', { name: 'What changed in version 2' }).click();
    const lines = page.getByRole('region', { name: 'From version 1 to 2' });
    await lines.locator('.gone', { hasText: '21:40' }).waitFor();
    await lines.locator('.new', { hasText: '20:15' }).waitFor();
    await expectLegible(page);
    await open('lake/notes');
    await notes.getByText('This source changed').waitFor();
    await notes.locator('ins', { hasText: '20' }).waitFor();
    await notes.getByRole('button', { name: '1 note to check' }).click();
    await expectLegible(page);
    await notes.getByRole('button', { name: 'Write what holds instead' }).click();
    await notes.getByLabel('What holds instead').last().fill('The last ferry leaves at 20:15.');
    await notes.getByRole('button', { name: 'Save' }).click();
    await notes.getByText('2 notes').waitFor();
    await notes.getByRole('link', { name: 'What held before' }).click();
    await page.getByRole('link', { name: 'What holds now' }).click();
    await page.getByText('leaves at 20:15').first().waitFor();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('heading', { name: 'Document not found' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('collections are described, tags counted, and a folder shows that it is in step', async () => {
    await open('lake/collections');
    const folders = page.getByRole('region', { name: 'Synchronised folders' });
    await folders.getByText(folder).waitFor();
    await folders.getByText('0 documents').waitFor();
    writeFileSync(join(folder, `${HOSTILE.replaceAll('/', '')}.md`), 'Moorings are paid in spring.');
    await folders.getByText('1 document').waitFor();
    await folders.getByText('synchronised', { exact: true }).waitFor();
    await page.reload();
    const collections = page.getByRole('region', { name: 'Collections' });
    await collections.getByRole('button', { name: 'Describe harbour' }).click();
    await collections.getByLabel('What harbour holds').fill(`Prices ${HOSTILE}`);
    await collections.getByRole('button', { name: 'Save' }).click();
    await collections.getByText(`Prices ${HOSTILE}`).waitFor();
    await expectLegible(page);
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('region', { name: 'Tags' }).getByRole('link', { name: '#statistics' }).click();
    await page.getByRole('heading', { name: '1 document' }).waitFor();
  });

  test('tools of one name are listed under their own servers', async () => {
    await open('tools');
    const group = (server: string) =>
      page
        .getByRole('region', { name: 'Tools', exact: true })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: server, exact: true }) });
    await group('memorylake').getByText('memorylake_list_versions', { exact: true }).waitFor();
    await group('tensor-directory').getByText('list_versions', { exact: true }).waitFor();
    expect(await group('memorylake').getByText('list_versions', { exact: true }).count()).toBe(0);
  });

  test('rows of a long list are in their order, also for the Tab key, once a scroll is over', async () => {
    const client = new Client({ name: 'filler', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${atoll.address}mcp`)));
    for (let i = 0; i < 60; i++) {
      const tensor = { name: `t${i}`, description: 'one of many', tensor_data: [i] };
      await client.callTool({ name: 'upload_tensor', arguments: tensor });
    }
    await client.close();
    await open('tensors');
    const list = page.getByRole('list', { name: 'Tensors' });
    const rows = list.getByRole('listitem');
    await rows.first().waitFor();
    const order = async () =>
      (await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-posinset')))).map(Number);
    await list.evaluate((box) => box.scrollTo(0, 1_000));
    const isInOrder = (found: readonly number[]) =>
      found[0]! > 10 && found.every((position, at) => position === found[0]! + at);
    await expect.poll(async () => isInOrder(await order())).toBe(true);
    const link = page.getByRole('link', { name: /^\S* ?t\d+/ });
    await link.nth(9).focus();
    const before = await link.nth(10).getAttribute('href');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('href')).toBe(before);
  });
});
