// node apps/aggregator/test/screenshots.mjs: makes docs/images from the built program with a little data in it, light and dark.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  JSON.stringify({ servers: { ...servers, 'msty-admin': { ollamaPort: service.port, home: dataDir } } }),
);
const atoll = spawn(
  process.execPath,
  [cli, '--http', '--port', '7410', '--data-dir', join(dataDir, 'data'), '--config', config],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
for await (const line of createInterface({ input: atoll.stderr })) if (line.includes('"msg":"listening"')) break;
atoll.stderr.resume();

const SQL =
  'SELECT Species, sum(Tonnes) AS tonnes, round(sum(Tonnes * "Price per tonne")) AS value FROM catches_2026_catches GROUP BY Species ORDER BY value DESC';

mkdirSync(images, { recursive: true });
await fill();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
    const hit = page.locator('.hits li', { hasText: 'harbour-handbook' });
    await hit
      .getByRole('link', { name: /page 2/ })
      .first()
      .click();
    await page.locator('.pdf-page .place').first().waitFor();
  });
  await shoot(page, colorScheme, 'sql', 'lake/tables', async () => {
    const sql = page.getByRole('region', { name: 'SQL on tables' });
    await sql.getByRole('textbox', { name: 'SQL' }).fill(SQL);
    await sql.getByRole('button', { name: 'Run' }).click();
    await sql.getByRole('region', { name: 'Result' }).waitFor();
  });
  await shoot(page, colorScheme, 'settings', 'settings', () => page.getByText(/checks passed/).waitFor());
  await shoot(page, colorScheme, 'tensor', 'tensors', async () => {
    await page.getByRole('link', { name: /waves/ }).click();
    await page.getByAltText(/The tensor as/).waitFor();
  });
  await shoot(page, colorScheme, 'embeddings', 'embeddings', async () => {
    await page.getByRole('button', { name: 'Draw a map of these texts' }).click();
    await page.locator('.map circle').first().waitFor();
  });
  await shoot(page, colorScheme, 'msty', 'msty', async () => {
    await page.getByText('Tokens a second, last 30 days').waitFor();
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
  await page.goto(`http://127.0.0.1:7410/#/${route}`);
  await ready();
  await page.screenshot({ path: join(images, `${name}-${scheme}.png`) });
}

async function fill() {
  const client = new Client({ name: 'screenshots', version: '0' });
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
  for (let i = 0; i < 24; i++) await call('search_memory', { query: `ferry ${i}` });
  await call('list_tensors', {});
  for (const model_id of ['llama3.2:3b', 'qwen2.5-coder:7b']) await call('benchmark_model', { model_id, num_runs: 1 });
  await client.close();
}
