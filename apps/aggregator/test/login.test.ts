import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { atoll, authorizationServer, browser, enterCode, protectedServer } from './authorization.ts';
import { connectAskable, textOf } from './clients.ts';
import { after, eventually, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

test('a person logs in once; calls use the token, and it is renewed when it is refused', async () => {
  const { issuer, provider } = await authorizationServer();
  const url = await protectedServer(issuer, async (token) => (await provider.AccessToken.find(token))?.accountId);
  const home = tempDir();
  const mcpServers = { web: { url } };
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers }));

  const app = startAggregator({ mcpServers, keychain: false }, { dataDir: join(home, 'data') });
  await eventually(() => app.status()[0]?.state === 'down');
  expect(app.status()[0]?.reason).toBe('it needs a login: run "atoll login web"');

  const { lines, ended } = atoll(home, 'login', 'web', '--print');
  const [line] = await once(lines, 'line');
  const address = String(line).replace('Log in at ', '');
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256');
  const page = await browser()(address);
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(page).toContain('Logged in');

  await eventually(() => app.status()[0]?.state === 'up', 30_000);
  const { client } = await connectAskable(app, 'modern');
  const call = async () => textOf(await client.callTool({ name: 'web_test_simple_text', arguments: {} }));
  const text = await call();
  const file = join(home, 'data', 'aggregator', 'secrets.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const tokenNow = () => JSON.parse(JSON.parse(readFileSync(file, 'utf8'))['login.web']).tokens.access_token as string;
  const first = tokenNow();
  await (await provider.AccessToken.find(first))?.destroy();
  expect(await Promise.all([call(), call(), call()])).toEqual([text, text, text]);
  expect(tokenNow()).not.toBe(first);

  const second = tokenNow();
  expect((await atoll(home, 'login', 'web', '--logout').ended).code).toBe(0);
  await (await provider.AccessToken.find(second))?.destroy();
  await expect(call()).rejects.toThrow('atoll login web');
});

test('a person logs in with a code on another device, and the tokens are renewed', async () => {
  const { issuer, provider } = await authorizationServer();
  const url = await protectedServer(issuer, async (token) => (await provider.AccessToken.find(token))?.accountId);
  const home = tempDir();
  const mcpServers = { web: { url } };
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers }));
  const { lines, ended } = atoll(home, 'login', 'web', '--device');
  const [line] = await once(lines, 'line');
  const [, page = '', code = ''] = /^Open (\S+) on any machine and enter the code (\S+)$/.exec(String(line)) ?? [];
  await enterCode(page, code, 'confirm');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });

  const app = startAggregator({ mcpServers, keychain: false }, { dataDir: join(home, 'data') });
  const { client } = await connectAskable(app, 'modern');
  await eventually(() => app.status()[0]?.state === 'up', 30_000);
  const file = join(home, 'data', 'aggregator', 'secrets.json');
  const tokenNow = () => JSON.parse(JSON.parse(readFileSync(file, 'utf8'))['login.web']).tokens.access_token as string;
  const first = tokenNow();
  await (await provider.AccessToken.find(first))?.destroy();
  expect(textOf(await client.callTool({ name: 'web_test_simple_text', arguments: {} }))).not.toBe('');
  expect(tokenNow()).not.toBe(first);
});

test('a code that is refused leaves the former login as it was', async () => {
  const { issuer } = await authorizationServer();
  const url = await protectedServer(issuer, async () => undefined);
  const home = tempDir();
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers: { web: { url } } }));
  const { lines, ended } = atoll(home, 'login', 'web', '--device');
  const [line] = await once(lines, 'line');
  const [, page = '', code = ''] = /^Open (\S+) .* the code (\S+)$/.exec(String(line)) ?? [];
  await enterCode(page, code, 'abort');
  expect(await ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not logged in to "web": the login was refused/),
  });
  expect(existsSync(join(home, 'data', 'aggregator', 'secrets.json'))).toBe(false);
});

test('a login that is refused, or that comes back with another state, leaves nothing behind', async () => {
  const { issuer } = await authorizationServer();
  const url = await protectedServer(issuer, async () => undefined);
  const home = tempDir();
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers: { web: { url }, local: { command: 'x' } } }));
  const { lines, ended } = atoll(home, 'login', 'web', '--print');
  const [line] = await once(lines, 'line');
  const { searchParams } = new URL(String(line).replace('Log in at ', ''));
  const callback = `${searchParams.get('redirect_uri')}`;
  expect((await fetch(`${callback}?code=stolen&state=guessed`)).status).toBe(400);
  await fetch(`${callback}?error=access_denied&state=${searchParams.get('state')}`);
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('access_denied') });
  expect(await atoll(home, 'login', 'local').ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('those are: web'),
  });
});

test('an authorization server that claims to be another one is not used', async () => {
  const liar = createServer((_request, response) => {
    const issuer = 'https://accounts.example.org';
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      }),
    );
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  after(() => liar.close());
  const url = await protectedServer(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, async () => undefined);
  const home = tempDir();
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers: { web: { url } } }));
  expect(await atoll(home, 'login', 'web', '--print').ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not logged in to "web": .*issuer/i),
  });
});
