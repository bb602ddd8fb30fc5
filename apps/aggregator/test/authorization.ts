import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { McpApp } from '@atoll-mcp/core';
import { bearerOf, serveHttp } from '@atoll-mcp/server';
import { everythingApp } from '@atoll-mcp/testing';
import Provider from 'oidc-provider';
import { after } from './harness.ts';

const CLI = join(import.meta.dirname, '../dist/cli.js');

/** A real authorization server that lets everyone in, as the given person, and never asks for consent. */
export async function authorizationServer(person: () => string = () => 'ann') {
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
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      return void provider.interactionFinished(request, response, { login: { accountId: person() } });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? person(), clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope ?? ''));
    if (typeof params.resource === 'string') grant.addResourceScope(params.resource, 'mcp');
    return void provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  };
  return { issuer, provider };
}

/** An MCP server that takes tokens of this authorization server only. `test_simple_text` answers with the owner of the token. */
export async function protectedServer(issuer: string, ownerOf: (token: string) => Promise<string | undefined>) {
  const challenge = () =>
    `Bearer resource_metadata="${new URL(server.url).origin}/.well-known/oauth-protected-resource/mcp"`;
  const app = everythingApp();
  const handle: McpApp['handle'] = async (method, params, request) =>
    method === 'tools/call' && params.name === 'test_simple_text'
      ? { content: [{ type: 'text', text: request.principal?.id ?? '' }] }
      : app.handle(method, params, request);
  const server = await serveHttp(
    { ...app, handle },
    {
      port: 0,
      graceMs: 100,
      authenticate: async (request) => {
        const token = bearerOf(request);
        const owner = token === undefined ? undefined : await ownerOf(token);
        if (owner !== undefined) return { id: owner };
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
    },
  );
  after(() => server.close());
  return server.url;
}

/** Does what a person's browser does: sends forms, follows redirects and keeps cookies. Returns the last page. */
export function browser() {
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
export async function enterCode(page: string, code: string, end: 'confirm' | 'abort'): Promise<void> {
  const load = browser();
  const xsrfOf = (html: string) => /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const entered = await load(page, { xsrf: xsrfOf(await load(page)), user_code: code });
  await load(page, { xsrf: xsrfOf(entered), user_code: code, [end]: 'yes' });
}

export function atoll(home: string, ...args: string[]) {
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
