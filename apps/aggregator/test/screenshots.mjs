// node apps/aggregator/test/screenshots.mjs: makes docs/images from the built program with a little data in it, light and dark.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { chromium } from 'playwright-core';
import { HARBOUR_DOCUMENTS } from './fixtures/harbour-documents.mjs';
import { startModelService } from './fixtures/model-service.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const images = join(root, 'docs/images');
const samples = join(root, 'packages/dashboard/web/public/assets/samples');
const dataDir = mkdtempSync(join(tmpdir(), 'atoll-images-'));
const cli = join(root, 'apps/aggregator/dist/cli.js');
const service = await startModelService({ 'llama3.2:3b': 90, 'qwen2.5-coder:7b': 45 });
const config = join(dataDir, 'atoll.json');
const servers = { memorylake: {}, 'tensor-directory': {}, 'cortex-embeddings': {}, 'msty-admin': {} };
writeFileSync(
  config,
  JSON.stringify({
    runTools: true,
    servers: { ...servers, 'msty-admin': { ollamaPort: service.port, home: dataDir } },
  }),
);
const atoll = spawn(
  process.execPath,
  [cli, '--http', '--port', '7410', '--data-dir', join(dataDir, 'data'), '--config', config],
  { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: dataDir } },
);
for await (const line of createInterface({ input: atoll.stderr })) if (line.includes('"msg":"listening"')) break;
atoll.stderr.resume();

const SQL =
  'SELECT Species, sum(Tonnes) AS tonnes, round(sum(Tonnes * "Price per tonne")) AS value FROM catches_2026_catches GROUP BY Species ORDER BY value DESC';

const PROGRAM = `// Which document answers each question?
const questions = [
  'When does the last ferry leave on Fridays?',
  'Who mends the breakwater?',
  'How much is diesel?',
  'When is the regatta?',
];
const { rows } = await tools.query_memory_tables({ sql: 'SELECT sum(Tonnes) FROM catches_2026_catches' });
const found = await Promise.all(questions.map((query) => tools.search_memory({ query, limit: 1 })));
console.log('landed this year:', rows[0][0], 'tonnes');
return questions.map((question, at) => ({ question, document: found[at].results[0]?.name }));`;

mkdirSync(images, { recursive: true });
await fill();
const shells = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? shells.find(existsSync),
  args: ['--no-sandbox'],
});
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
  await shoot(page, colorScheme, 'overview', '', async () => {
    await page.getByText(/tools behind one endpoint/).waitFor();
    // Room is kept for the first steps until it is known that nothing is left of them.
    await page.locator('.first-steps').waitFor({ state: 'detached' });
  });
  await shoot(page, colorScheme, 'lake', 'lake', async () => {
    await page.getByLabel('Search your files').fill('when does the last ferry leave on Fridays');
    await page.locator('mark').first().waitFor();
  });
  await shoot(page, colorScheme, 'place', 'lake', async () => {
    await page.getByLabel('Search your files').fill('price of a mooring for the season');
    // The results of the search before stay until these are there.
    const hit = page.locator('.hits li', { hasText: 'harbour-handbook' }).filter({ hasText: 'Per night' });
    await hit
      .getByRole('link', { name: /page 2/ })
      .first()
      .click();
    await page.locator('.pdf-page .place').first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  });
  await shoot(page, colorScheme, 'sql', 'lake/tables', async () => {
    const sql = page.getByRole('region', { name: 'SQL on tables' });
    const editor = sql.getByRole('textbox', { name: 'SQL' });
    await editor.fill(SQL);
    // The list of completions would lie over the button and the result.
    await editor.press('Escape');
    await sql.getByRole('button', { name: 'Run' }).click();
    await sql.getByRole('region', { name: 'Result' }).waitFor();
    await sql.getByLabel('Vertical').selectOption('value');
    await sql.getByRole('button', { name: 'Draw' }).click();
    await sql.getByRole('img').first().waitFor();
    await sql.evaluate((region) => region.scrollIntoView());
  });
  await shoot(page, colorScheme, 'program', `tools/run_tools?${new URLSearchParams({ code: PROGRAM })}`, async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('list', { name: 'Calls of the program' }).getByRole('link').first().waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  });
  await shoot(page, colorScheme, 'activity', 'activity', () => page.locator('.calls tbody a').first().waitFor());
  await shoot(page, colorScheme, 'settings', 'settings', () => page.getByText(/checks passed/).waitFor());
  await shoot(page, colorScheme, 'tensor', 'tensors', async () => {
    await page.getByRole('link', { name: /waves/ }).click();
    await page.getByAltText(/The tensor as/).waitFor();
  });
  await shoot(page, colorScheme, 'embeddings', 'embeddings', async () => {
    await page.getByRole('button', { name: 'Draw a map of the lake' }).click();
    await page.getByLabel('Find a text').fill('letter-ferry');
    await page.locator('.found-texts button').first().click();
    await page.locator('.map ol li').first().waitFor();
    await page.locator('figure.map').evaluate((figure) => figure.scrollIntoView());
  });
  await shoot(page, colorScheme, 'msty', 'msty', async () => {
    await page.getByText('Tokens per second, last 30 days').waitFor();
    await page.getByRole('cell', { name: 'llama3.2:3b' }).waitFor();
    await page.locator('.services').waitFor();
  });
  await shoot(page, colorScheme, 'tool', 'tools/search_memory', () =>
    page.getByRole('button', { name: 'Run' }).waitFor(),
  );
  await page.close();
}
await browser.close();
atoll.kill('SIGTERM');
await once(atoll, 'exit');
await service.stop();
rmSync(dataDir, { recursive: true, force: true });

async function shoot(page, scheme, name, route, ready) {
  // A mouse that lies over something since the last picture would light it up in this one.
  await page.mouse.move(0, 0);
  await page.goto(`http://127.0.0.1:7410/#/${route}`);
  await ready();
  // What runs here keeps its data in a folder that is removed afterwards; pictured is where it is otherwise.
  await page.evaluate(renameFolder, [dataDir, '~/atoll']);
  await page.screenshot({ path: join(images, `${name}-${scheme}.png`) });
}

/** Runs in the page: writes one folder for another wherever it is shown. */
function renameFolder([from, to]) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(from, to);
}

async function fill() {
  const client = new Client({ name: 'my-agent', version: '0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1:7410/mcp')));
  const call = (name, args) => client.callTool({ name, arguments: args }, { timeout: 120_000 });
  const waves = Array.from({ length: 60 }, (_, y) =>
    Array.from({ length: 90 }, (_, x) => Math.sin(x / 9) * Math.cos(y / 7)),
  );
  await call('upload_tensor', {
    name: 'waves',
    description: 'Height of the water, one metre apart',
    tensor_data: waves,
  });
  await call('upload_tensor', {
    name: 'depths',
    description: 'Soundings along the reef',
    tensor_data: waves.map((row) => row.slice(0, 12)),
  });
  for (const name of readdirSync(samples)) {
    await call('add_memory', { name, base64: readFileSync(join(samples, name)).toString('base64') });
  }
  for (const [name, text] of Object.entries(HARBOUR_DOCUMENTS)) await call('add_memory', { name, text });
  await call('embedding_generate', { text: 'a first text, so that the model is loaded' });
  for (const model_id of ['llama3.2:3b', 'qwen2.5-coder:7b']) await call('benchmark_model', { model_id, num_runs: 1 });
  await call('list_tensors', {});
  for (let i = 0; i < 20; i++) await call('search_memory', { query: `ferry ${i}` });
  await call('query_memory_tables', { sql: SQL });
  await call('describe_tensor', { name_or_uuid: 'waves' });
  await call('embedding_similarity', { query: 'a storm', texts: ['strong wind', 'a calm sea'] });
  await call('search_memory', { query: 'who mends the breakwater?' });
  await call('plot_tensor', { name_or_uuid: 'waves' });
  await call('search_memory', { query: 'how much is diesel?' });
  // Its sandbox is started once; later programs find it there.
  await call('run_tools', { code: PROGRAM });
  await client.close();
}
