import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '@atoll-mcp/server';
import { expect, test, vi } from 'vitest';
import { clientPlace } from '../src/commands/clients/clients.ts';
import { SecretStore } from '../src/secrets/secret-store.ts';
import { connectAskable, textOf } from './clients.ts';
import { eventually, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CLI = join(import.meta.dirname, '../dist/cli.js');
const run = promisify(execFile);
/** With what a replacement or an expansion would change. */
const SECRET = `tell nobody $& \${HOME}`;

function homeOf(home: string) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  const atoll = async (...args: string[]) => {
    const done = await run(process.execPath, [CLI, ...args], { env, cwd: home }).catch((error) => error);
    return { code: (done.code ?? 0) as number, stdout: String(done.stdout), stderr: String(done.stderr) };
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return { env, atoll, write };
}

test('servers of every client are taken over, comments stay, and a dry run changes nothing', async () => {
  const home = tempDir();
  const { env, atoll, write } = homeOf(home);
  const config = join(home, 'atoll.json');
  const before = '{\n  // mine\n  "mcpServers": {\n    "kept": { "command": "mine" } // keep\n  }\n}\n';
  write(config, before.replaceAll('//', '#'));
  const place = (name: Parameters<typeof clientPlace>[0]) => clientPlace(name, env).path;
  const atollItself = { command: 'npx', args: ['-y', '@atoll-mcp/aggregator'] };
  write(
    place('claude-desktop'),
    JSON.stringify({
      mcpServers: { files: { command: 'npx', args: ['-y', 'files'], env: { KEY: 'sk-1' } }, atoll: atollItself },
    }),
  );
  write(
    place('claude-code'),
    JSON.stringify({
      mcpServers: { user: { type: 'http', url: 'https://example.org/mcp' } },
      projects: { [home]: { mcpServers: { here: { command: 'here' } } } },
    }),
  );
  write(
    join(home, '.mcp.json'),
    JSON.stringify({ mcpServers: { old: { type: 'sse', url: 'https://example.org/sse' } } }),
  );
  write(place('cursor'), '{ "mcpServers": { "kept": { "command": "other" }, } /* ours */ }');
  write(place('windsurf'), JSON.stringify({ mcpServers: { wind: { serverUrl: 'https://wind.example/mcp' } } }));
  write(
    place('vscode'),
    '{\n  // of VS Code\n  "inputs": [],\n  "servers": { "hub": { "type": "stdio", "command": "hub", "env": { "TOKEN": "$INPUT", "URL": "http://x//y" } } }\n}'.replace(
      '$INPUT',
      `\${input:hub token}`,
    ),
  );
  const text = readFileSync(config, 'utf8');
  const dry = await atoll('import', 'all', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('+ "files"') });
  expect(dry.stdout).not.toContain('sk-1');
  expect(dry.stdout).toMatch(/"atoll" .*Atoll itself/);
  expect(dry.stdout).toMatch(/"old" .*HTTP\+SSE/);
  expect(dry.stdout).toMatch(/"kept" .*another server of this name/);
  expect(dry.stdout.match(/"kept"/g)).toHaveLength(1);
  expect(dry.stdout).toContain('atoll secret set hub_token');
  expect(readFileSync(config, 'utf8')).toBe(text);
  expect((await atoll('import', 'all')).code).toBe(2);
  expect((await atoll('import', 'all', '--yes')).code).toBe(0);
  const after = readFileSync(config, 'utf8');
  expect(after).toContain('# mine');
  expect(after).toContain('"kept": { "command": "mine" }');
  const { mcpServers } = JSON.parse(after.replace(/#.*$/gm, ''));
  expect(mcpServers).toEqual({
    kept: { command: 'mine' },
    files: { command: 'npx', args: ['-y', 'files'], env: { KEY: 'sk-1' } },
    user: { url: 'https://example.org/mcp' },
    here: { command: 'here' },
    wind: { url: 'https://wind.example/mcp' },
    hub: { command: 'hub', env: { TOKEN: `\${keychain:hub_token}`, URL: 'http://x//y' } },
  });
  expect((await atoll('import', 'all', '--yes')).stdout).toContain('There is nothing to import.');
  write(place('cursor'), 'not json');
  expect(await atoll('import', 'cursor', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cursor'),
  });
  expect((await atoll('import', 'emacs')).code).toBe(2);
});

test('a secret is stored from stdin, only its user can read it, and a server gets it', async () => {
  const home = tempDir();
  const { env } = homeOf(home);
  const data = join(home, 'data');
  const secret = async (args: string[], input: string) => {
    const child = spawn(process.execPath, [CLI, 'secret', ...args, '--no-keychain', '--data-dir', data], {
      env,
      cwd: home,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    return { code, output };
  };
  const stored = await secret(['set', 'TOKEN'], `${SECRET}\n`);
  expect(stored).toMatchObject({ code: 0, output: expect.stringContaining('keychain:TOKEN}') });
  expect(stored.output).not.toContain('tell nobody');
  const file = join(data, 'aggregator', 'secrets.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const server = legacyServer({ SECRET: `x \${keychain:TOKEN}` });
  const app = startAggregator({ keychain: false, mcpServers: { other: server } }, { dataDir: data });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  const { client } = await connectAskable(app, 'modern');
  const answer = await client.callTool({ name: 'other_environment', arguments: {} });
  expect(textOf(answer)).toContain(JSON.stringify(`x ${SECRET}`));
  expect(await secret(['set', 'bad name'], 'x')).toMatchObject({ code: 2 });
  expect(await secret(['set', 'EMPTY'], '\n')).toMatchObject({ code: 2 });
  expect(await secret(['remove', 'TOKEN'], '')).toMatchObject({ code: 0 });
  expect(await secret(['remove', 'TOKEN'], '')).toMatchObject({ code: 1 });
});

test('a missing secret keeps only its server down, and says what to do', async () => {
  const mcpServers = { one: legacyServer(), two: legacyServer({ KEY: `\${keychain:NONE}` }) };
  const app = startAggregator({ keychain: false, mcpServers });
  await eventually(() => app.status().every(({ state }) => state === 'up' || state === 'down'));
  expect(app.status()).toMatchObject([
    { key: 'one', state: 'up' },
    { key: 'two', state: 'down', reason: 'secret "NONE" not found; store it with "atoll secret set NONE"' },
  ]);
});

test('the keychain is preferred, a locked one is named, and one that refuses to store is replaced by the file', async () => {
  const file = join(tempDir(), 'secrets.json');
  const kept = new Map<string, string>();
  const chain = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: string) => void kept.set(name, value),
    remove: (name: string) => kept.delete(name),
  };
  const open = new SecretStore(file, { keychain: true, load: async () => chain });
  expect(await open.set('A', '1')).toBe('keychain');
  expect(await open.get('A')).toBe('1');
  expect(existsSync(file)).toBe(false);
  const locked = () => {
    throw new Error('locked');
  };
  const store = new SecretStore(file, {
    keychain: true,
    load: async () => ({ get: locked, set: locked, remove: locked }),
  });
  await expect(store.get('A')).rejects.toThrow(/keychain could not be read for the secret "A"; unlock it/);
  expect(await store.set('A', '2')).toBe('file');
  expect(await store.get('A')).toBe('2');
  expect(await open.set('A', '3')).toBe('keychain');
  expect(readFileSync(file, 'utf8')).toBe('{}\n');
  writeFileSync(file, '{');
  await expect(store.get('A')).rejects.toThrow(ConfigError);
  await expect(store.set('B', '1')).rejects.toThrow(ConfigError);
  expect(readFileSync(file, 'utf8')).toBe('{');
});
