import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@atoll-mcp/core';
import { loadConfig } from '@atoll-mcp/server';
import { expect, test } from 'vitest';
import { configDefinition, createAtollServer } from '../src/index.ts';
import { connectAskable, textOf } from './clients.ts';
import { after, eventually, LEGACY, tempDir } from './harness.ts';

const PETS = fileURLToPath(new URL('fixtures/pets.yaml', import.meta.url));
const TEXT = `{
  # my servers
  "mcpServers": {
    "old": { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(LEGACY)}], "env": { "KEY": "sk-1" } } # keep me
  },
  "mode": "full"
}
`;

/** A running Atoll with a configuration file of its own, as the command line starts it. */
async function opened(text = TEXT) {
  const folder = tempDir();
  const path = join(folder, 'atoll.json');
  writeFileSync(path, text);
  const load = () =>
    loadConfig(configDefinition, { argv: ['--no-builtin', '--http', '--data-dir', folder, '--config', path] });
  const env = { PATH: process.env.PATH, HOME: folder };
  const app: ReturnType<typeof createAtollServer> = createAtollServer(load().config, {
    env,
    log: silentLogger,
    host: {
      configFile: { path, reload: async () => app.reconfigure(load().config) },
      install: { env, command: 'node', script: '/opt/atoll/cli.js', configFile: path },
    },
  });
  after(() => app.close());
  const { client } = await connectAskable(app, 'modern', 'ann');
  await client.listTools();
  const call = (name: string, args: object = {}) =>
    client.callTool({ name: `atoll_admin_${name}`, arguments: args as never });
  const ask = async (name: string, args: object = {}) => {
    const answer = await call(name, args);
    if (answer.isError) throw new Error(textOf(answer));
    return answer.structuredContent as Body;
  };
  const revision = async () => (await ask('servers')).revision;
  return { folder, path, client, call, ask, revision, text: () => readFileSync(path, 'utf8') };
}

interface Body {
  readonly revision: string;
  readonly token: string;
  readonly lines: readonly string[];
  readonly servers: readonly {
    readonly key: string;
    readonly state: string;
    readonly settings: { env?: object; args?: string[] };
    readonly tools: readonly { name: string; listed: boolean }[];
  }[];
  readonly clients: readonly { name: string; is_installed: boolean; has_atoll: boolean }[];
  readonly path: string;
}

const names = async ({ client }: Awaited<ReturnType<typeof opened>>) =>
  (await client.listTools()).tools.map(({ name }) => name);

test('a server is added, edited, switched off and removed, and comments stay', async () => {
  const atoll = await opened();
  const { ask, revision, text } = atoll;
  const settings = { command: process.execPath, args: [LEGACY], env: { TOKEN: 'abc' } };
  await ask('add_server', { key: 'second', settings, revision: await revision() });
  expect(text()).toContain('# my servers');
  expect(text()).toContain('# keep me');
  await eventually(async () => (await names(atoll)).includes('second_echo'));
  const shown = (await ask('servers')).servers.find(({ key }) => key === 'second');
  expect(shown?.settings.env).toEqual({ TOKEN: '[redacted]' });
  await ask('edit_server', {
    key: 'second',
    settings: { ...settings, env: { TOKEN: '[redacted]', MORE: 'x' }, prefix: 'two_' },
    revision: await revision(),
  });
  expect(JSON.parse(text().replace(/ # .*/g, '')).mcpServers.second).toMatchObject({
    env: { TOKEN: 'abc', MORE: 'x' },
    prefix: 'two_',
  });
  await eventually(async () => (await names(atoll)).includes('two_echo'));
  await ask('switch_server', { key: 'second', on: false, revision: await revision() });
  expect(await names(atoll)).not.toContain('two_echo');
  await ask('switch_server', { key: 'second', on: true, revision: await revision() });
  await eventually(async () => (await names(atoll)).includes('two_echo'));
  await ask('remove_server', { key: 'second', revision: await revision() });
  expect(text()).toBe(TEXT);
});

test('an HTTP API is added, listed without its keys, edited and removed', async () => {
  const { ask, revision, text } = await opened();
  const settings = { openapi: PETS, baseUrl: 'http://127.0.0.1:1/v1', auth: { key: 'sk-2' } };
  await ask('add_server', { key: 'pets', settings, revision: await revision() });
  const pets = async () => (await ask('servers')).servers.find(({ key }) => key === 'pets');
  await eventually(async () => ((await pets())?.tools.length ?? 0) > 0);
  expect((await pets())?.settings).toEqual({ ...settings, auth: { key: '[redacted]' } });
  const edited = { ...settings, auth: { key: '[redacted]' }, prefix: 'shop_' };
  await ask('edit_server', { key: 'pets', settings: edited, revision: await revision() });
  expect(JSON.parse(text().replace(/ # .*/g, '')).mcpServers.pets).toEqual({ ...settings, prefix: 'shop_' });
  await ask('remove_server', { key: 'pets', revision: await revision() });
  expect(text()).toBe(TEXT);
});

test('a tool is hidden and listed again', async () => {
  const atoll = await opened();
  const { ask, revision, text } = atoll;
  await eventually(async () => (await names(atoll)).includes('old_echo'));
  await ask('switch_tool', { key: 'old', tool: 'echo', listed: false, revision: await revision() });
  expect(await names(atoll)).not.toContain('old_echo');
  const { servers } = await ask('servers');
  expect(servers[0]?.tools.find(({ name }) => name === 'echo')?.listed).toBe(false);
  await ask('switch_tool', { key: 'old', tool: 'echo', listed: true, revision: await revision() });
  expect(await names(atoll)).toContain('old_echo');
  expect(text()).not.toContain('deny');
});

test('a tool that a pattern hides is not claimed to be listed', async () => {
  const { ask, revision } = await opened(TEXT.replace('"command"', '"deny": ["ech*"], "command"'));
  const wanted = { key: 'old', tool: 'echo', listed: true, revision: await revision() };
  await expect(ask('switch_tool', wanted)).rejects.toThrow('hidden by a pattern');
});

test('of two people who edit at once the second is told, and nothing of the first is lost', async () => {
  const { ask, revision, text } = await opened();
  const seen = await revision();
  const settings = { url: 'http://127.0.0.1:9/mcp' };
  const [first, second] = await Promise.allSettled([
    ask('add_server', { key: 'a', settings, revision: seen }),
    ask('add_server', { key: 'b', settings, revision: seen }),
  ]);
  expect(first.status).toBe('fulfilled');
  expect(second.status === 'rejected' && String(second.reason)).toContain('changed by someone else');
  expect(text()).toContain('"a"');
  expect(text()).not.toContain('"b"');
});

test('another program that writes the file in between is not overwritten', async () => {
  const { ask, revision, path, text } = await opened();
  const seen = await revision();
  writeFileSync(path, TEXT.replace('"full"', '"search"'));
  await expect(ask('switch_server', { key: 'old', on: false, revision: seen })).rejects.toThrow('someone else');
  expect(text()).toContain('"search"');
});

test('bad settings are refused in a sentence, and the file stays as it was', async () => {
  const { ask, revision, text } = await opened();
  const add = async (key: string, settings: object) => ask('add_server', { key, settings, revision: await revision() });
  await expect(add('x/y', { command: 'a' })).rejects.toThrow('must be 1 to 60 letters');
  await expect(add('x', {})).rejects.toThrow('either "command" or "url"');
  await expect(add('x', { url: 'ftp://a' })).rejects.toThrow('must begin with http');
  await expect(add('old', { command: 'a' })).rejects.toThrow('already a server "old"');
  await expect(ask('remove_server', { key: 'none', revision: await revision() })).rejects.toThrow(
    'Unknown server "none"',
  );
  await expect(ask('edit_server', { key: '__proto__', settings: { command: 'a' }, revision: '' })).rejects.toThrow(
    'Unknown server',
  );
  expect(text()).toBe(TEXT);
});

test('a server is restarted, and its log is shown with a filter', async () => {
  const { ask, client } = await opened();
  const pid = async () =>
    textOf(await client.callTool({ name: 'old_pid', arguments: {} }).catch(() => ({ content: [] })));
  const before = await pid();
  expect(await ask('restart_server', { key: 'old' })).toMatchObject({ state: 'up' });
  if (before !== '') expect(await pid()).not.toBe(before);
  expect((await ask('server_log', { key: 'old', filter: 'no such words' })).lines).toEqual([]);
});

test('what a server wrote before it ended is still in its log after it was started again', async () => {
  const script = `import { createInterface } from 'node:readline';
    console.error('started as ' + process.pid);
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' },
        tools: [{ name: 'end', inputSchema: { type: 'object' } }] };
      if (method === 'tools/call') { console.error('the disk is full'); process.exit(3); }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });`;
  const server = { command: process.execPath, args: ['--input-type=module', '-e', script] };
  const atoll = await opened(JSON.stringify({ mcpServers: { ends: server } }));
  const { ask, client } = atoll;
  await eventually(async () => (await names(atoll)).includes('ends_end'));
  await expect(client.callTool({ name: 'ends_end', arguments: {} })).rejects.toThrow('it exited with code 3');
  const log = async () => (await ask('server_log', { key: 'ends' })).lines;
  await eventually(async () => (await log()).filter((line) => line.startsWith('started as')).length >= 2);
  const lines = await log();
  const at = lines.indexOf('the disk is full');
  expect(at).toBeGreaterThan(0);
  expect(lines[at + 1]).toBe('[started again]');
});

test('a restart that fails says why', async () => {
  const { ask } = await opened('{ "mcpServers": { "gone": { "command": "/no/such/program" } } }');
  await expect(ask('restart_server', { key: 'gone' })).rejects.toThrow('could not be started');
});

test('clients that are there come first, and one is connected with a copy of its file', async () => {
  const { folder, ask } = await opened();
  mkdirSync(join(folder, '.cursor'));
  writeFileSync(join(folder, '.cursor', 'mcp.json'), '{ "mcpServers": {} }');
  expect((await ask('clients')).clients[0]).toMatchObject({ name: 'cursor', is_installed: true, has_atoll: false });
  const { path } = await ask('connect_client', { name: 'cursor' });
  expect(readFileSync(path, 'utf8')).toContain('/opt/atoll/cli.js');
  expect((await ask('clients')).clients[0]).toMatchObject({ has_atoll: true });
  await expect(ask('connect_client', { name: 'nano' })).rejects.toThrow('Unknown client "nano"');
});

test('a hostile configuration of a client costs only its own servers', async () => {
  const atoll = await opened();
  const file = join(atoll.folder, '.cursor/mcp.json');
  mkdirSync(join(atoll.folder, '.cursor'));
  const importable = async () => {
    const { servers, unreadable } = (await atoll.ask('importable')) as unknown as {
      servers: { name: string; left_out?: string }[];
      unreadable: string[];
    };
    return { names: servers.map(({ name, left_out }) => `${name}${left_out === undefined ? '' : '!'}`), unreadable };
  };
  const odd = '{"toString":1,"valueOf":1}';
  const servers = [
    '"good":{"command":"a"}',
    '"__proto__":{"command":"a"}',
    '"file":{"url":"file:///etc/passwd"}',
    '"broken":{"url":"http://%zz"}',
    `"odd":{"command":"a","args":[${odd}]}`,
    `"env":{"command":"a","env":{"A":${odd}}}`,
    '"line\\nbreak":{"command":"a"}',
  ];
  writeFileSync(file, `{"mcpServers":{${servers.join(',')}}}`);
  const names = ['good', '__proto__!', 'file!', 'broken!', 'odd!', 'env!', 'line\nbreak!'];
  expect(await importable()).toEqual({ names, unreadable: [] });
  await expect(atoll.ask('import_servers', { names: ['__proto__'], revision: await atoll.revision() })).rejects.toThrow(
    'nothing was changed',
  );
  const none = { names: [], unreadable: ['cursor'] };
  writeFileSync(file, `{"mcpServers":{"a":${'['.repeat(100_000)}`);
  expect(await importable()).toEqual(none);
  truncateSync(file, 3_000_000_000);
  expect(await importable()).toEqual(none);
  if (process.platform === 'win32') return;
  // Reading these would never end.
  for (const place of ['/dev/zero', '/dev/stdin']) {
    rmSync(file);
    symlinkSync(place, file);
    expect(await importable()).toEqual(none);
  }
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(await importable()).toEqual(none);
  expect((await atoll.ask('clients')).clients.find(({ name }) => name === 'cursor')).toMatchObject({
    has_atoll: false,
  });
  await expect(atoll.ask('connect_client', { name: 'cursor' })).rejects.toThrow('not JSON that can be edited');
});

test('settings are shown without secrets, and a token is shown once', async () => {
  const { ask, revision, text, folder } = await opened();
  const { token } = await ask('create_token', { name: 'ann', admin: true, revision: await revision() });
  expect(token.length).toBeGreaterThan(30);
  expect(text()).not.toContain(token);
  expect(existsSync(join(folder, 'aggregator', 'tokens'))).toBe(true);
  const shown = JSON.stringify(await ask('settings'));
  expect(shown).toContain('"ann"');
  expect(shown).not.toContain(token);
  expect(shown).not.toContain('sk-1');
  await expect(ask('create_token', { name: 'ann', revision: await revision() })).rejects.toThrow('already a token');
});

test('a token for a view that is not there is refused, with the views that are', async () => {
  const { ask, revision, folder } = await opened(TEXT.replace('"mode"', '"views": { "work": {} }, "mode"'));
  const wanted = { name: 'ann', revision: await revision() };
  await expect(ask('create_token', { ...wanted, views: ['work', 'wrok', '__proto__'] })).rejects.toThrow(
    'there is no view "wrok", "__proto__"; the views are work',
  );
  expect(existsSync(join(folder, 'aggregator', 'tokens'))).toBe(false);
  expect(await ask('create_token', { ...wanted, views: ['work'] })).toMatchObject({ token: expect.any(String) });
});

test('secrets in arguments and addresses are not shown, and stay when the server is edited', async () => {
  const { ask, revision, text } = await opened();
  const args = [LEGACY, '--token', 'tok-1234', '--port', '80', 'https://ann:pw@host/x?api_key=k123&page=2'];
  const settings = { command: process.execPath, args };
  await ask('add_server', { key: 'second', settings, revision: await revision() });
  const shown = async () => (await ask('servers')).servers.find(({ key }) => key === 'second')?.settings;
  const redacted = [
    LEGACY,
    '--token',
    '[redacted]',
    '--port',
    '80',
    'https://[redacted]@host/x?api_key=[redacted]&page=2',
  ];
  expect(await shown()).toMatchObject({ args: redacted });
  const written = () => JSON.parse(text().replace(/ # .*/g, '')).mcpServers.second;
  const edit = async (more: object) =>
    ask('edit_server', { key: 'second', settings: { ...settings, ...more }, revision: await revision() });
  await edit({ args: [LEGACY, '--verbose', ...redacted.slice(1)] });
  expect(written().args).toEqual([LEGACY, '--verbose', ...args.slice(1)]);
  await expect(edit({ args: [LEGACY, 'https://[redacted]@elsewhere/'] })).rejects.toThrow('write the secret again');
  await expect(edit({ env: { NEW: '[redacted]' } })).rejects.toThrow('env.NEW has "[redacted]"');
  expect(written().args).toEqual([LEGACY, '--verbose', ...args.slice(1)]);
});

test('what can be set up is listed, and what cannot be had says why', async () => {
  const { ask } = await opened();
  const { python, models } = (await ask('setup')) as unknown as {
    python: { state: string };
    models: { name: string; installed: boolean; active: boolean }[];
  };
  expect(['ready', 'missing', 'installing', 'unavailable']).toContain(python.state);
  expect(models.filter(({ active }) => active)).toMatchObject([{ name: 'all-MiniLM-L6-v2', installed: true }]);
  await expect(ask('install', { what: 'a parrot' })).rejects.toThrow(
    '"a parrot" cannot be installed; choose one of python',
  );
  await expect(ask('install', { what: 'all-MiniLM-L6-v2' })).rejects.toThrow('comes with the package');
  await expect(ask('use_model', { name: 'gte-small' })).rejects.toThrow('gte-small');
  expect(await ask('use_model', { name: 'all-MiniLM-L6-v2' })).toMatchObject({ used: 'all-MiniLM-L6-v2' });
});
