import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveHttp } from '@atoll-mcp/server';
import { connectHttp } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import { atoll, authorizationServer, browser, protectedServer } from './authorization.ts';
import { textOf } from './clients.ts';
import { after, configOf, eventually, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TEXT = 'web_test_simple_text';

/** A server with logins, an `atoll.json` that names it, and a person who logs in. */
async function loggedIn(logins: readonly (readonly [account: string | undefined, person: string])[], config: object) {
  let person = '';
  const { issuer, provider } = await authorizationServer(() => person);
  const url = await protectedServer(issuer, async (token) => (await provider.AccessToken.find(token))?.accountId);
  const home = tempDir();
  const settings = { mcpServers: { web: { url } }, keychain: false, ...config };
  writeFileSync(join(home, 'atoll.json'), JSON.stringify(settings));
  for (const [account, name] of logins) {
    person = name;
    const { lines, ended } = atoll(home, 'login', 'web', '--print', ...(account ? ['--account', account] : []));
    const [line] = await once(lines, 'line');
    await browser()(String(line).replace('Log in at ', ''));
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  }
  return { settings, home };
}

async function startedWith(settings: object, home: string) {
  const app = startAggregator(settings, { dataDir: join(home, 'data') });
  const server = await serveHttp(app, {
    port: 0,
    graceMs: 100,
    ...(app.authenticate && { authenticate: app.authenticate }),
  });
  after(() => server.close());
  const connect = async (token?: string, view = '') => {
    const client = await connectHttp(server.url + view, token === undefined ? {} : { token });
    after(() => client.close());
    return client;
  };
  const ask = async (token?: string, view?: string) =>
    textOf(await (await connect(token, view)).callTool({ name: TEXT, arguments: {} }));
  return { app, connect, ask };
}

test('each view and each token uses the login that it names, all others the one without a name', async () => {
  const tokens = ['ann', 'bob', 'eve'].map((name) => ({ name, token: `${name}-token` }));
  const { settings, home } = await loggedIn(
    [
      [undefined, 'everyone'],
      ['work', 'ann at work'],
      ['bob@example.org', 'bob himself'],
    ],
    {
      views: { office: { accounts: { web: 'work' } } },
      tokens: tokens.map((token) => ({
        ...token,
        ...(token.name === 'bob' && { accounts: { web: 'bob@example.org' } }),
      })),
    },
  );
  const { app, connect, ask } = await startedWith(settings, home);
  await eventually(() => app.status().every(({ state }) => state === 'up'), 30_000);
  expect(app.status().map(({ key }) => key)).toEqual(['web', 'web:work', 'web:bob@example.org']);
  expect(await ask('ann-token')).toBe('everyone');
  expect(await ask('ann-token', '/office')).toBe('ann at work');
  expect(await ask('bob-token')).toBe('bob himself');
  expect(await ask('bob-token', '/office')).toBe('bob himself');

  const client = await connect('bob-token');
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => name.endsWith('test_simple_text')).map(({ name }) => name)).toEqual([TEXT]);
  for (const name of ['web:work_test_simple_text', 'web_work_test_simple_text']) {
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow('Unknown tool');
  }
  const program = await client.callTool({ name: 'atoll_status', arguments: {} });
  expect(JSON.stringify(program.structuredContent)).not.toContain('web:work');
});

test('an account without a login is down for those who name it, and nobody gets the login of another', async () => {
  const { settings, home } = await loggedIn([[undefined, 'everyone']], {
    tokens: [
      { name: 'bob', token: 'bob-token', accounts: { web: 'bob' } },
      { name: 'ann', token: 'ann-token' },
    ],
  });
  const { app, ask } = await startedWith(settings, home);
  await eventually(
    () =>
      app
        .status()
        .map(({ state }) => state)
        .join() === 'up,down',
    30_000,
  );
  expect(await ask('ann-token')).toBe('everyone');
  await expect(ask('bob-token')).rejects.toThrow('atoll login web --account bob');

  // Whoever loses an account loses its view at once; the others keep theirs.
  await app.reconfigure(configOf({ ...settings, tokens: [{ name: 'ann', token: 'ann-token' }] }, join(home, 'data')));
  expect(app.status().map(({ key }) => key)).toEqual(['web']);
  expect(await ask('ann-token')).toBe('everyone');
});

test('a misspelt server or account is refused before anything starts', async () => {
  const home = tempDir();
  const config = (more: object) => writeFileSync(join(home, 'atoll.json'), JSON.stringify(more));
  const web = { url: 'http://127.0.0.1:1/mcp' };
  config({ mcpServers: { web, local: { command: 'x' } }, views: { office: { accounts: { wep: 'a', local: 'a' } } } });
  const { code, stderr } = await atoll(home).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('"views.office.accounts": "wep" is not a server with a url');
  expect(stderr).toContain('"local" is not a server with a url');
  config({ mcpServers: { web } });
  expect(await atoll(home, 'login', 'web', '--account', 'a/b').ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--account: must be 1 to 60 letters'),
  });
  expect((await atoll(home, 'login', 'web', '--account', 'work', '--logout').ended).code).toBe(0);
});
