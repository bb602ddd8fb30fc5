import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { after, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CLI = join(import.meta.dirname, '../dist/cli.js');
const run = promisify(execFile);

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const base = (name: string, more: object) => ({ $schema: SCHEMA, name, description: `The server ${name}`, ...more });

const filesAt = (version: string) =>
  base('io.github.ann/files', {
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: '@ann/files',
        version,
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', valueHint: 'root_folder', isRequired: true },
          { type: 'named', name: '--mode', value: 'read' },
          { type: 'named', name: '--verbose', valueHint: 'level' },
        ],
        environmentVariables: [
          { name: 'API_KEY', description: 'Its key', isRequired: true, isSecret: true },
          { name: 'LEVEL', default: 'info' },
          { name: 'OPTIONAL' },
        ],
      },
    ],
  });

const HUB = base('com.example/hub', {
  version: '2.0.0',
  remotes: [
    { type: 'sse', url: 'https://hub.example/sse' },
    {
      type: 'streamable-http',
      url: 'https://hub.example/mcp',
      headers: [{ name: 'Authorization', value: 'Bearer {token}', isRequired: true, isSecret: true }],
    },
  ],
});
const BOX = base('io.github.bob/box', {
  version: '1.0.0',
  packages: [
    {
      registryType: 'oci',
      identifier: 'ghcr.io/bob/box:1.0.0',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'ROOM', isRequired: true }],
    },
  ],
});
const OLD = base('com.example/old', { version: '1.0.0', remotes: [{ type: 'sse', url: 'https://old.example/sse' }] });

/** A registry with the official one's API. */
async function registry() {
  const servers = new Map<string, { name: string }>(
    [filesAt('1.0.0'), HUB, BOX, OLD].map((server) => [server.name, server]),
  );
  const answer = (server: object) => ({
    server,
    _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
  });
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const say = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (pathname === '/v0.1/servers') {
      const found = [...servers.values()].filter(({ name }) => name.includes(searchParams.get('search') ?? ''));
      return say(200, { servers: found.map(answer), metadata: { count: found.length } });
    }
    const [, name = ''] = /^\/v0\.1\/servers\/([^/]+)\/versions\/latest$/.exec(pathname) ?? [];
    const server = servers.get(decodeURIComponent(name));
    return server ? say(200, answer(server)) : say(404, { error: 'Server not found' });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  const home = tempDir();
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const file = join(home, 'atoll.json');
  writeFileSync(file, `{\n  # mine\n  "registryUrl": "${url}"\n}\n`);
  const atoll = async (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: home };
    const done = await run(process.execPath, [CLI, ...args], { env, cwd: home }).catch((error) => error);
    return { code: (done.code ?? 0) as number, stdout: String(done.stdout), stderr: String(done.stderr) };
  };
  const written = () => JSON.parse(readFileSync(file, 'utf8').replace(/#.*$/gm, '')).mcpServers;
  return { servers, atoll, written, text: () => readFileSync(file, 'utf8') };
}

test('servers are found in a registry, added with what they need, and upgraded', async () => {
  const { servers, atoll, written, text } = await registry();
  expect((await atoll('search', 'files')).stdout).toContain('io.github.ann/files 1.0.0');
  expect(JSON.parse((await atoll('search', 'example', '--json')).stdout).servers).toHaveLength(2);
  expect((await atoll('search', 'nothing')).stdout).toContain('Nothing was found');

  const before = text();
  const shown = await atoll('add', 'io.github.ann/files', '--from-registry', '--dry-run');
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('@ann/files@1.0.0') });
  expect((await atoll('add', 'io.github.ann/files', '--from-registry')).code).toBe(2);
  expect(text()).toBe(before);
  const added = await atoll('add', 'io.github.ann/files', '--from-registry', '--yes');
  expect(added.stdout).toContain('atoll secret set files.API_KEY');
  expect(added.stdout).toContain('the environment variable ROOT_FOLDER');
  await atoll('add', 'com.example/hub', '--from-registry', '--yes', '--as', 'my-hub');
  await atoll('add', 'io.github.bob/box', '--from-registry', '--yes');
  const files = {
    command: 'npx',
    args: ['-y', '@ann/files@1.0.0', `\${ROOT_FOLDER}`, '--mode', 'read'],
    env: { API_KEY: `\${keychain:files.API_KEY}`, LEVEL: 'info' },
    registry: { name: 'io.github.ann/files', version: '1.0.0' },
  };
  expect(written()).toEqual({
    files,
    'my-hub': {
      url: 'https://hub.example/mcp',
      headers: { Authorization: `Bearer \${keychain:my-hub.token}` },
      registry: { name: 'com.example/hub', version: '2.0.0' },
    },
    box: {
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'ROOM', 'ghcr.io/bob/box:1.0.0'],
      env: { ROOM: `\${ROOM}` },
      registry: { name: 'io.github.bob/box', version: '1.0.0' },
    },
  });
  expect(text()).toContain('# mine');

  expect((await atoll('upgrade')).stdout).toContain('"files" stays at 1.0.0');
  servers.set('io.github.ann/files', filesAt('1.1.0'));
  expect((await atoll('upgrade', 'files', '--dry-run')).stdout).toContain('1.0.0 -> 1.1.0');
  expect(written().files).toEqual(files);
  expect((await atoll('upgrade', '--yes')).code).toBe(0);
  expect(written().files).toEqual({
    ...files,
    args: files.args.with(1, '@ann/files@1.1.0'),
    registry: { name: 'io.github.ann/files', version: '1.1.0' },
  });
});

test('what the registry does not have, or Atoll cannot use, is refused and nothing is written', async () => {
  const { atoll, text } = await registry();
  const before = text();
  const cases = [
    [['add', 'com.example/none', '--from-registry', '--yes'], 2, 'does not have this server'],
    [['add', 'com.example/old', '--from-registry', '--yes'], 1, 'Streamable HTTP'],
    [['upgrade', 'files'], 2, 'was not added from the registry'],
    [['search'], 2, 'usage'],
    [['search', 'x', '--registry-url', 'http://127.0.0.1:1'], 2, 'could not be read'],
  ] as const;
  for (const [args, code, stderr] of cases) {
    expect(await atoll(...args)).toMatchObject({ code, stderr: expect.stringContaining(stderr) });
  }
  expect(text()).toBe(before);
});
