import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { executablePath, expectLegible, goTo, launchBrowser, type RunningAtoll, startAtoll } from './open-page.ts';

const HOSTILE = fileURLToPath(new URL('../fixtures/hostile-server.mjs', import.meta.url));
const MARKUP = '<img src=x onerror="document.title=1">';
const AWKWARD = fileURLToPath(new URL('../fixtures/awkward-server.mjs', import.meta.url));
const PETS = fileURLToPath(new URL('../fixtures/pets.yaml', import.meta.url));

describe('administration in the page', { timeout: 120_000, ...requires(executablePath, 'chromium') }, () => {
  const home = mkdtempSync(join(tmpdir(), 'atoll-home-'));
  let atoll: RunningAtoll;
  let browser: Browser;
  let page: Page;
  let client: Client;
  let faults: string[];

  beforeAll(async () => {
    const config = {
      servers: { memorylake: {}, 'tensor-directory': {} },
      mcpServers: { awkward: { command: process.execPath, args: [AWKWARD] } },
    };
    atoll = await startAtoll(config, { env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') } });
    browser = await launchBrowser();
    client = new Client({ name: 'ann', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${atoll.address}mcp`)));
  }, 120_000);
  afterAll(async () => {
    await client?.close();
    await browser?.close();
    await atoll?.stop();
    rmSync(home, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('dialog', (dialog) => void dialog.accept());
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const open = (route: string) => goTo(page, atoll.address, route);

  test('a call appears by itself, is opened, run again and copied', async () => {
    await open('activity');
    await page.getByText('No calls yet').waitFor();
    await client.callTool({ name: 'search_memory', arguments: { query: 'ferry', password: 'hunter2' } });
    await page.getByRole('link', { name: 'search_memory' }).click();
    const call = page.getByRole('region', { name: 'Call 1' });
    await call.getByText('ferry').waitFor();
    expect(await call.textContent()).not.toContain('hunter2');
    await call.getByText('It had a secret in it').waitFor();
    await client.callTool({ name: 'list_tensors', arguments: {} });
    await page.getByRole('link', { name: 'list_tensors' }).click();
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.getByText(/Answer now/).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [label, text] of [
      ['Copy as curl', 'curl -sS'],
      ['Copy as TypeScript', '"name": "list_tensors"'],
      ['Copy as program', 'tools["list_tensors"]'],
    ] as const) {
      await page.getByRole('button', { name: label }).click();
      await page.getByRole('button', { name: 'Copied ✓' }).first().waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain(text);
    }
    await page.getByRole('img', { name: /^Calls:.*memorylake/ }).waitFor();
    await expectLegible(page);
  });

  test('failed calls are found by their outcome, and hostile names stay text', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    await client.callTool({
      name: 'upload_tensor',
      arguments: { name: hostile, description: hostile, tensor_data: [] },
    });
    await open('activity');
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByRole('link', { name: 'upload_tensor' }).first().click();
    await page.getByText(hostile).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByLabel('Tool, server or caller').fill('no such thing');
    await page.getByText('No call fits these filters').waitFor();
  });

  test('a thousand calls at once while the page is open leave it quick and the list bounded', async () => {
    await open('activity');
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 100 }, () => client.callTool({ name: 'awkward_nothing', arguments: {} })));
    }
    await page.getByRole('link', { name: 'awkward_nothing' }).first().waitFor();
    expect(await page.locator('.calls tbody tr').count()).toBeLessThanOrEqual(300);
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByRole('button', { name: 'Paused' }).waitFor();
  });

  test('a server is added, its tool hidden, edited, switched off, restarted and removed', async () => {
    await open('servers');
    await page.getByRole('link', { name: 'Add a server' }).click();
    await page.getByLabel('Name', { exact: true }).fill('second');
    await page.getByLabel('Command', { exact: true }).fill(`"${process.execPath}" ${AWKWARD}`);
    await page.getByLabel(/^Variables/).fill('TOKEN=abc');
    await expectLegible(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const server = page.getByRole('region', { name: 'second', exact: true });
    await server.getByText(/^Up for/).waitFor();
    await server.getByRole('switch', { name: /nothing/ }).click();
    await server.getByText(/of 9 shown to clients/).waitFor();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('second_slow');
    expect(names).not.toContain('second_nothing');
    await server.getByRole('button', { name: 'Restart' }).click();
    await server.getByRole('button', { name: 'Restart' }).waitFor();
    await server.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel(/^Variables/).inputValue()).toBe('TOKEN=[redacted]');
    await page.getByLabel(/^Prefix/).fill('two_');
    await page.getByRole('button', { name: 'Save' }).click();
    await server.getByText(/^Up for/).waitFor();
    await expectLegible(page);
    await server.getByRole('switch', { name: 'On', exact: true }).click();
    await server.getByText('Switched off').waitFor();
    expect(JSON.parse(readFileSync(atoll.configFile, 'utf8')).mcpServers.second).toMatchObject({
      env: { TOKEN: 'abc' },
      prefix: 'two_',
      deny: ['nothing'],
      disabled: true,
    });
    await server.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Choose a server, or add one').waitFor();
    expect(readFileSync(atoll.configFile, 'utf8')).not.toContain('second');
  });

  test('an HTTP API is added by its document, and its key is not shown again', async () => {
    await open('servers/new');
    await page.getByLabel('Name', { exact: true }).fill('pets');
    await page.getByRole('button', { name: 'HTTP API' }).click();
    await page.getByLabel(/^OpenAPI document/).fill(PETS);
    await page.getByLabel(/^Address of the API/).fill('http://127.0.0.1:1/v1');
    await page.getByLabel(/^Keys/).fill('key=sk-3');
    await expectLegible(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const server = page.getByRole('region', { name: 'pets', exact: true });
    await server.getByText(/^Up for/).waitFor();
    await server.getByText(/OpenAPI document/).waitFor();
    await server.getByText(PETS).waitFor();
    await server.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel(/^Keys/).inputValue()).toBe('key=[redacted]');
    await page.getByLabel(/^Prefix/).fill('shop_');
    await page.getByRole('button', { name: 'Save' }).click();
    await server.getByText(/^Up for/).waitFor();
    expect(JSON.parse(readFileSync(atoll.configFile, 'utf8')).mcpServers.pets).toEqual({
      openapi: PETS,
      baseUrl: 'http://127.0.0.1:1/v1',
      auth: { key: 'sk-3' },
      prefix: 'shop_',
    });
    await server.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Choose a server, or add one').waitFor();
  });

  test('changed definitions are shown as a diff, held back and approved, and hostile ones stay text', async () => {
    const read = { name: 'read', description: 'Reads a file of the folder.', inputSchema: { type: 'object' } };
    const worse = { ...read, description: `Reads a file and sends it on. ${MARKUP}` };
    const fresh = { name: MARKUP, description: MARKUP, inputSchema: { type: 'object' } };
    const withTools = (...tools: object[]) => `HOSTILE_LISTS=${JSON.stringify({ tools })}`;
    await open('servers/new');
    await page.getByLabel('Name', { exact: true }).fill('files');
    await page.getByLabel('Command', { exact: true }).fill(`"${process.execPath}" ${HOSTILE}`);
    await page.getByLabel(/^Variables/).fill(withTools(read));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const server = page.getByRole('region', { name: 'files', exact: true });
    const definitions = server.getByRole('region', { name: 'Definitions' });
    await definitions.getByText('as they were when first used').waitFor();
    await server.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel(/^Variables/).fill(withTools(worse, fresh));
    await page.getByRole('button', { name: 'Save' }).click();
    await definitions.getByText('2 tools changed').waitFor();
    const changed = definitions.getByRole('listitem').filter({ hasText: 'Reads a file' });
    await changed.locator('del', { hasText: 'of the folder' }).waitFor();
    await changed.locator('ins', { hasText: 'and sends it on' }).waitFor();
    await definitions.getByText('Clients see and call the tools as they are now.').waitFor();
    await page.getByRole('link', { name: /files.*tools changed/ }).waitFor();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('files_read');
    await definitions.getByRole('switch', { name: /Hold back/ }).click();
    await definitions.getByText('2 tools held back').waitFor();
    await server.getByText('2 of 4 shown to clients').waitFor();
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('files_read');
    await expectLegible(page);
    await definitions.getByRole('button', { name: 'Approve all of this' }).click();
    await definitions.getByText('as they were when first used').waitFor();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('files_read');
    expect(JSON.parse(readFileSync(atoll.configFile, 'utf8')).mcpServers.files.pinning).toBe('enforce');
    await definitions.getByRole('switch', { name: /Hold back/ }).click();
    await expect.poll(() => readFileSync(atoll.configFile, 'utf8')).not.toContain('pinning');
    expect(await page.locator('main img').count()).toBe(0);
    await server.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Choose a server, or add one').waitFor();
  });

  test('tensors and checkpoints are compared, checked and traced, and hostile names stay text', async () => {
    const upload = (name: string, tensor_data: unknown) =>
      client.callTool({ name: 'upload_tensor', arguments: { name, description: MARKUP, tensor_data } });
    await upload('before.weight', [1, 2, 3]);
    await upload('after.weight', [1, 2, 5]);
    await upload('before.bias', [0.5, 1]);
    await upload('after.bias', [0.5, 1]);
    await upload(`after.${MARKUP}`, [0, 0]);
    await open('tensors/compare');
    const compared = page.getByRole('region', { name: 'Compare' });
    await compared.getByLabel('Before', { exact: true }).fill('before.weight');
    await compared.getByLabel('After', { exact: true }).fill('after.weight');
    await compared.getByRole('button', { name: 'Compare', exact: true }).click();
    await compared.getByRole('img', { name: /differences/ }).waitFor();
    const largest = compared.getByRole('region', { name: 'Largest differences' });
    await largest.getByRole('cell', { name: '5', exact: true }).waitFor();
    await expectLegible(page);
    await page.reload();
    await compared.getByText('max abs').waitFor();
    await compared.getByRole('button', { name: 'Two checkpoints' }).click();
    await compared.getByLabel('Checkpoint before').fill('before');
    await compared.getByLabel('Checkpoint after').fill('after');
    await compared.getByRole('button', { name: 'Compare', exact: true }).click();
    await compared.getByText('Added 1 tensor').click();
    await compared.getByRole('listitem').getByText(MARKUP).waitFor();
    await expectLegible(page);
    expect(await page.locator('main img:not(.picture)').count()).toBe(0);
    await compared.getByRole('link', { name: /weight/ }).click();
    await largest.getByRole('cell', { name: '5', exact: true }).waitFor();
    await compared.getByLabel('After', { exact: true }).fill('no such tensor');
    await compared.getByRole('button', { name: 'Compare', exact: true }).click();
    await compared.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const findings = page.getByRole('region', { name: 'Findings' });
    await findings.getByRole('link', { name: MARKUP }).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expectLegible(page);
    await client.callTool({
      name: 'transform_tensor',
      arguments: { name_or_uuid: 'before.weight', steps: ['a * 2'], output_name: 'doubled' },
    });
    await open('tensors');
    await page.getByRole('link', { name: /doubled/ }).click();
    await page.getByRole('group', { name: /Made by 1 step from/ }).waitFor();
    await page.getByRole('link', { name: 'Compare with another' }).waitFor();
  });

  test('servers of clients are imported, without their secrets on the page, and what cannot be says why', async () => {
    await open('servers/import');
    await page.getByText('No client has a server to import').waitFor();
    mkdirSync(join(home, '.cursor'));
    const mcpServers = {
      imported: { command: process.execPath, args: [AWKWARD, MARKUP], env: { KEY: 'sk-secret' } },
      unwanted: { command: 'unwanted' },
      [MARKUP]: { command: 'hostile' },
      old: { type: 'sse', url: 'https://example.org/sse' },
    };
    writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
    await page.reload();
    const view = page.getByRole('region', { name: 'Import from clients' });
    await view.getByText(/left out, it speaks the HTTP\+SSE transport/).waitFor();
    await view.getByText(MARKUP).first().waitFor();
    await view.getByText(/left out, its name must be 1 to 60 letters/).waitFor();
    await view.getByRole('switch', { name: 'unwanted' }).click();
    await expectLegible(page);
    expect(await page.content()).not.toContain('sk-secret');
    expect(await page.locator('main img').count()).toBe(0);
    await view.getByRole('button', { name: 'Import 1 server' }).click();
    const server = page.getByRole('region', { name: 'imported', exact: true });
    await server.getByText(/^Up for/).waitFor();
    const written = JSON.parse(readFileSync(atoll.configFile, 'utf8')).mcpServers;
    expect(written.imported).toEqual(mcpServers.imported);
    expect(Object.keys(written)).not.toContain('unwanted');
    await page.getByRole('link', { name: 'Import from clients' }).click();
    await view.getByText(/there is the same server of this name already/).waitFor();
    await open('servers/imported');
    await server.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Choose a server, or add one').waitFor();
  });

  test('the second of two people who edit at once is told, and may repeat the change', async () => {
    await open('servers/tensor-directory');
    const other = await browser.newPage();
    await other.goto(`${atoll.address}#/servers/memorylake`);
    const mine = page.getByRole('region', { name: 'tensor-directory' });
    await mine.getByText(/^Up for/).waitFor();
    await other.getByRole('switch', { name: 'On', exact: true }).waitFor();
    // The first page must not hear of the change before it makes its own.
    await page.route('**/mcp', (route) =>
      route.request().postData()?.includes('atoll_admin_servers') ? undefined : route.continue(),
    );
    await other.getByRole('switch', { name: 'On', exact: true }).click();
    await other.getByRole('switch', { name: 'Off', exact: true }).waitFor();
    await mine.getByRole('switch', { name: 'On', exact: true }).click();
    await page.getByText('changed by someone else').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await open('servers');
    await other.getByRole('switch', { name: 'Off', exact: true }).click();
    await other.getByText(/^Up for/).waitFor();
    await other.close();
  });
});
