import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bearerOf, serveHttp } from '@atoll-mcp/server';
import { everythingApp } from '@atoll-mcp/testing';
import Provider from 'oidc-provider';
import { expect, test, vi } from 'vitest';
import { connectAskable, textOf } from './clients.ts';
import { after, eventually, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CLI = join(import.meta.dirname, '../dist/cli.js');

/** A real authorization server that lets everyone in and never asks for consent. */
async function authorizationServer() {
  let handle: RequestListener = (_request, response) => void response.end();
  const http = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'mcp', accessTokenFormat: 'opaque' }),
        useGrantedResource: () => true,
      },
    },
    scopes: ['openid', 'offline_access', 'mcp'],
    issueRefreshToken: async () => true,
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  const serve = provider.callback();
  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void serve(request, response);
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      return void provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
    }
    const grant = new provider.Grant({ accountId: 'ann', clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope ?? ''));
    if (typeof params.resource === 'string') grant.addResourceScope(params.resource, 'mcp');
    return void provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  };
  return { issuer, provider };
}

/** An MCP server that takes tokens of this authorization server only. */
async function protectedServer(issuer: string, isValid: (token: string) => Promise<boolean>) {
  const challenge = () =>
    `Bearer resource_metadata="${new URL(server.url).origin}/.well-known/oauth-protected-resource/mcp"`;
  const server = await serveHttp(everythingApp(), {
    port: 0,
    graceMs: 100,
    authenticate: async (request) => {
      const token = bearerOf(request);
      if (token !== undefined && (await isValid(token))) return { id: 'ann' };
      return { status: 401, message: 'Log in first', challenge: challenge() };
    },
    routes: [
      {
        method: 'GET',
        path: '/.well-known/oauth-protected-resource/*',
        public: true,
        handle: async (_request, response) => {
          response.setHeader('content-type', 'application/json');
          response.end(
            JSON.stringify({ resource: server.url, authorization_servers: [issuer], scopes_supported: ['mcp'] }),
          );
        },
      },
    ],
  });
  after(() => server.close());
  return server.url;
}

/** Does what a person's browser does: sends forms, follows redirects and keeps cookies. Returns the last page. */
function browser() {
  const cookies = new Map<string, string>();
  return async (start: string, form?: Record<string, string>): Promise<string> => {
    let url = start;
    let body = form && new URLSearchParams(form);
    for (let step = 0; step < 12; step++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = body ? { method: 'POST', body } : {};
      const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...sent });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null) return response.text();
      url = new URL(next, url).href;
      body = undefined;
    }
    throw new Error('too many redirects');
  };
}

/** Enters a device code, and confirms or aborts the login. */
async function enterCode(page: string, code: string, end: 'confirm' | 'abort'): Promise<void> {
  const load = browser();
  const xsrfOf = (html: string) => /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const entered = await load(page, { xsrf: xsrfOf(await load(page)), user_code: code });
  await load(page, { xsrf: xsrfOf(entered), user_code: code, [end]: 'yes' });
}

function atoll(home: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  const where = ['--data-dir', join(home, 'data'), '--no-keychain'];
  const child = spawn(process.execPath, [CLI, ...args, ...where], { env, cwd: home });
  after(() => child.kill());
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stderr }));
  return { child, ended, lines: createInterface({ input: child.stdout }) };
}

test('a person logs in once; calls use the token, and it is renewed when it is refused', async () => {
  const { issuer, provider } = await authorizationServer();
  const url = await protectedServer(issuer, async (token) => (await provider.AccessToken.find(token)) !== undefined);
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
  const url = await protectedServer(issuer, async (token) => (await provider.AccessToken.find(token)) !== undefined);
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
  const url = await protectedServer(issuer, async () => false);
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
  const url = await protectedServer(issuer, async () => false);
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
  const url = await protectedServer(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, async () => false);
  const home = tempDir();
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers: { web: { url } } }));
  expect(await atoll(home, 'login', 'web', '--print').ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not logged in to "web": .*issuer/i),
  });
});
