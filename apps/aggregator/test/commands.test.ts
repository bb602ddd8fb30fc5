import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveHttp } from '@atoll-mcp/server';
import { expect, test, vi } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import { clientPlace } from '../src/commands/clients/clients.ts';
import { lastingCommand } from '../src/commands/clients/lasting-command.ts';
import { after, badServer, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const CLI = join(import.meta.dirname, '../dist/cli.js');
const run = promisify(execFile);

/** Runs the built program in a home of its own; a failure is an answer too. */
async function atoll(home: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  try {
    return { code: 0, ...(await run(process.execPath, [CLI, ...args], { env, cwd: home })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

test('addresses are listed without user names and passwords', async () => {
  const home = tempDir();
  const mcpServers = {
    remote: { url: 'https://ada:s3cr@t@example.org/mcp?a=b@c' },
    local: { command: 'node', args: ['x.js', 'postgres://ada:s3cret@db/x'] },
  };
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers }));
  for (const form of [[], ['--json']]) {
    const { stdout } = await atoll(home, 'list', '--no-builtin', ...form);
    expect(stdout).toContain('https://***@example.org/mcp?a=b@c');
    expect(stdout).toContain('postgres://***@db/x');
    expect(stdout).not.toMatch(/ada|s3cr/);
  }
});

test('values of settings are not taken for the words of a command', async () => {
  const home = tempDir();
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers: { one: legacyServer() } }));
  const settings = ['--data-dir', join(home, 'data'), '--log-level', 'error'];
  expect(await atoll(home, 'pin', ...settings)).toMatchObject({ code: 0, stdout: expect.stringContaining('one: ') });
  expect(await atoll(home, 'diff', ...settings, 'one')).toMatchObject({ code: 0, stdout: 'one: as pinned\n' });
  const { stderr } = await atoll(home, 'remove', ...settings, 'none');
  expect(stderr).toContain('none');
  expect(stderr).not.toContain('data');
  expect((await atoll(home, 'login', 'one', '--account')).stderr).toContain('--account: needs a value');
});

test('servers are added, listed and removed in the file that is used', async () => {
  const home = tempDir();
  const file = join(home, 'atoll.json');
  expect(
    (
      await atoll(
        home,
        'add',
        'files',
        '--config',
        file,
        '--env',
        'KEY=a=b',
        '--prefix',
        'f_',
        '--',
        'node',
        'x.js',
        '--flag',
      )
    ).code,
  ).toBe(0);
  expect((await atoll(home, 'add', 'web', 'http://127.0.0.1:1/mcp', '--header', 'X-Key=1')).code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers).toEqual({
    files: { command: 'node', args: ['x.js', '--flag'], env: { KEY: 'a=b' }, prefix: 'f_' },
    web: { url: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': '1' } },
  });
  const listed = JSON.parse((await atoll(home, 'list', '--json', '--no-builtin')).stdout);
  expect(listed).toMatchObject({
    file,
    servers: [
      { name: 'files', kind: 'stdio' },
      { name: 'web', kind: 'http' },
    ],
  });
  expect((await atoll(home, 'remove', 'files')).code).toBe(0);
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual(['web']);
  expect(await atoll(home, 'remove', 'files')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('known servers: web'),
  });
  expect((await atoll(home, 'add', 'nothing')).code).toBe(2);
});

test('comments of a YAML file stay when a server is added', async () => {
  const home = tempDir();
  const file = join(home, 'atoll.yaml');
  writeFileSync(file, '# mine\nmode: full # all of it\nmcpServers:\n  one: { url: "http://127.0.0.1:1/mcp" } # keep\n');
  expect((await atoll(home, 'add', 'two', 'http://127.0.0.1:2/mcp')).code).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/# mine[\s\S]*# all of it[\s\S]*# keep[\s\S]*two:/);
});

test('a file with mistakes ends the program with 2 and names every one of them', async () => {
  const home = tempDir();
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mode: 'odd', mcpServers: { a: {} }, unknown: 1 }));
  const { code, stderr } = await atoll(home);
  expect(code).toBe(2);
  for (const word of ['"mode"', 'mcpServers', 'needs either "command" or "url"', '"unknown"'])
    expect(stderr).toContain(word);
});

test('an address beyond this machine without a token is refused before any server starts', async () => {
  const home = tempDir();
  const mcpServers = { early: { command: 'touch', args: [join(home, 'started')] } };
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers }));
  const { code, stderr } = await atoll(home, '--http', '--no-builtin', '--host', '0.0.0.0');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^atoll: --host: 0\.0\.0\.0 is not loopback[^\n]*\n$/);
  expect(readdirSync(home)).toEqual(['atoll.json']);
});

test('install shows the change, keeps a copy of the file and everything in it', async () => {
  const home = tempDir();
  const { path } = clientPlace('cursor', { HOME: home });
  mkdirSync(join(home, '.cursor'));
  const before = `// mine\n${JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' } } }, null, 2)}\n`;
  writeFileSync(path, before);
  const dry = await atoll(home, 'install', 'cursor', '--dry-run');
  expect(dry.stdout).toContain('+     "atoll": {');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(await atoll(home, 'install', 'cursor')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('Nothing was changed'),
    stderr: expect.stringContaining('--yes'),
  });
  expect((await atoll(home, 'install', 'cursor', '--yes')).code).toBe(0);
  const after = JSON.parse(readFileSync(path, 'utf8').replace('// mine\n', ''));
  expect(after).toMatchObject({
    theme: 'dark',
    mcpServers: { other: { command: 'x' }, atoll: { command: process.execPath } },
  });
  const copies = readdirSync(join(home, '.cursor')).filter((name) => name.includes('.before-atoll-'));
  expect(copies).toHaveLength(1);
  expect(readFileSync(join(home, '.cursor', copies[0] ?? ''), 'utf8')).toBe(before);
  expect((await atoll(home, 'install', 'cursor', '--yes')).stdout).toContain('already');
});

test('install writes npx where the program lies in a cache that npx empties, with the version that was asked for', () => {
  const cache = join(tempDir(), '_npx', '1f2e');
  const script = join(cache, 'node_modules/@atoll-mcp/aggregator/dist/cli.js');
  expect(lastingCommand('/usr/bin/node', script)).toEqual({ command: 'npx', args: ['-y', '@atoll-mcp/aggregator'] });
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "_npx": { "packages": ["@atoll-mcp/aggregator@next"] } }');
  expect(lastingCommand('/usr/bin/node', script).args).toEqual(['-y', '@atoll-mcp/aggregator@next']);
  for (const other of [
    '/home/ada/.cache/pnpm/dlx/ab/1-2/node_modules/.pnpm/x/cli.js',
    'C:\\a\\_npx\\1f\\node_modules\\cli.js',
  ])
    expect(lastingCommand('/usr/bin/node', other).command).toBe('npx');
});

test('install writes the path of a program that stays where it is', () => {
  for (const script of [
    '/usr/lib/node_modules/@atoll-mcp/aggregator/dist/cli.js',
    '/src/dlx/apps/aggregator/dist/cli.js',
  ])
    expect(lastingCommand('/usr/bin/node', script)).toEqual({ command: '/usr/bin/node', args: [script] });
});

test('a program in a cache of npx is installed by name, with the configuration it uses', async () => {
  const home = tempDir();
  const program = join(home, '_npx/1f/node_modules/@atoll-mcp/aggregator');
  mkdirSync(program, { recursive: true });
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(program, 'node_modules'));
  cpSync(join(CLI, '..'), join(program, 'dist'), { recursive: true });
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, 'atoll.json'), '{}');
  const env = { PATH: process.env.PATH, HOME: home };
  await run(process.execPath, [join(program, 'dist/cli.js'), 'install', 'cursor', '--yes'], { env, cwd: home });
  expect(JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers.atoll).toEqual({
    command: 'npx',
    args: ['-y', '@atoll-mcp/aggregator', '--config', join(home, 'atoll.json')],
  });
});

test('what cannot be written is said in a sentence', async () => {
  const home = tempDir();
  for (const name of ['.cursor', '.config']) writeFileSync(join(home, name), 'a file where a folder should be');
  const refusal = { code: 2, stderr: expect.stringMatching(/^atoll: cannot write \S+ \(E[A-Z]+\)[^\n]*\n$/) };
  expect(await atoll(home, 'install', 'cursor', '--yes')).toMatchObject(refusal);
  expect(await atoll(home, 'add', 'web', 'http://127.0.0.1:1/mcp')).toMatchObject(refusal);
  const file = join(home, '.config', 'mine.json');
  expect(await atoll(home, 'add', 'web', 'http://127.0.0.1:1/mcp', '--config', file)).toMatchObject(refusal);
});

test('a file that is a link stays one', async () => {
  const home = tempDir();
  writeFileSync(join(home, 'kept.json'), '{}');
  symlinkSync(join(home, 'kept.json'), join(home, '.claude.json'));
  expect((await atoll(home, 'install', 'claude-code', '--yes')).code).toBe(0);
  expect(readFileSync(join(home, 'kept.json'), 'utf8')).toContain('"atoll"');
  expect(lstatSync(join(home, '.claude.json')).isSymbolicLink()).toBe(true);
});

test('flags behind -- belong to the server that is added', async () => {
  const home = tempDir();
  expect((await atoll(home, 'add', 'files', '--', 'node', 'x.js', '--help', '--version')).stdout).toMatch(/^Added/);
  expect((await atoll(home, 'list', '--no-builtin')).stdout).toContain('node x.js --help --version');
});

test('add refuses what is no address, and says when it replaces a server', async () => {
  const home = tempDir();
  expect(await atoll(home, 'add', 'web', '127.0.0.1/mcp')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('http://'),
  });
  expect((await atoll(home, 'add', 'web', ['http://$', '{HOST}/mcp'].join(''))).stdout).toMatch(/^Added "web"/);
  expect((await atoll(home, 'add', 'web', 'http://127.0.0.1:1/mcp')).stdout).toMatch(/^Replaced "web"/);
});

test('install keeps comments, and leaves a file alone that it does not understand', async () => {
  const home = tempDir();
  const { path } = clientPlace('vscode', { HOME: home, XDG_CONFIG_HOME: join(home, '.config') });
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '{ // mine\n}');
  expect((await atoll(home, 'install', 'vscode', '--yes')).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toMatch(/^\{ \/\/ mine\n {2}"servers": \{\n {4}"atoll": \{/);
  writeFileSync(path, '{ "servers": [] }');
  const { code, stdout } = await atoll(home, 'install', 'vscode', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain('"type": "stdio"');
  expect(readFileSync(path, 'utf8')).toBe('{ "servers": [] }');
});

test.each(['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf'] as const)(
  '%s is found on every platform',
  (name) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(clientPlace(name, { HOME: '/h', APPDATA: '/h/a' }, platform).path).toMatch(/\.json$/);
    }
  },
);

/** What doctor finds about the port, in a home without any configuration. */
async function portFinding(port: number, host = '127.0.0.1') {
  const home = tempDir();
  const place = ['--host', host, '--port', String(port), '--data-dir', join(home, 'data')];
  const { stdout } = await atoll(home, 'doctor', '--json', '--no-builtin', ...place);
  const { findings } = JSON.parse(stdout) as { findings: { what: string }[] };
  return findings.find(({ what }) => what === `port ${port}`);
}

const RUNS_ALREADY = { isFine: true, detail: expect.stringContaining('Atoll') };
const IS_TAKEN = { isFine: false, repair: expect.stringContaining('--port') };

test.each([
  ['lets anyone in', {}],
  ['wants a token', { tokens: [{ name: 'ada', token: 'ada-token' }] }],
])('doctor knows an Atoll that runs already and %s', async (_whom, settings) => {
  const app = startAggregator(settings);
  const own = await serveHttp(app, { port: 0, ...(app.authenticate && { authenticate: app.authenticate }) });
  after(() => own.close());
  expect(await portFinding(own.port)).toMatchObject(RUNS_ALREADY);
});

test.each([
  ['answers everything', 200],
  ['wants a token of its own', 401],
])('doctor names a stranger on the port that %s', async (_what, status) => {
  const other = createServer((_request, response) =>
    response.writeHead(status, { 'www-authenticate': 'Bearer' }).end('{"status":"ok"}'),
  ).listen(0, '127.0.0.1');
  after(() => other.close());
  await once(other, 'listening');
  expect(await portFinding((other.address() as AddressInfo).port)).toMatchObject(IS_TAKEN);
});

const hasIPv6 = Object.values(networkInterfaces()).some((card) => card?.some(({ address }) => address === '::1'));
test('doctor finds an Atoll on an address of IPv6, with brackets or without', requires(hasIPv6, 'ipv6'), async () => {
  const own = await serveHttp(startAggregator({}), { host: '::1', port: 0 });
  after(() => own.close());
  for (const host of ['::1', '[::1]']) expect(await portFinding(own.port, host)).toMatchObject(RUNS_ALREADY);
});

test(
  'doctor ends at once when the data folder is under /proc',
  requires(process.platform === 'linux', 'linux'),
  async () => {
    const { code, stderr } = await atoll(tempDir(), 'doctor', '--no-builtin', '--data-dir', '/proc/x');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^atoll: --data-dir: cannot write to \/proc \(E[A-Z]+\)[^\n]*\n$/);
  },
);

test('doctor says what is wrong with which server and how to repair it', async () => {
  const home = tempDir();
  const mcpServers = { good: legacyServer(), bad: badServer('dead'), gone: { url: 'http://127.0.0.1:1/mcp' } };
  writeFileSync(join(home, 'atoll.json'), JSON.stringify({ mcpServers }));
  const { code, stdout } = await atoll(
    home,
    'doctor',
    '--json',
    '--no-builtin',
    '--port',
    '0',
    '--data-dir',
    join(home, 'data'),
  );
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: { what: string; isFine: boolean; repair?: string }[] };
  const of = (what: string) => findings.find((finding) => finding.what === what);
  expect(of('node')?.isFine).toBe(true);
  expect(of('server good')?.isFine).toBe(true);
  for (const what of ['server bad', 'server gone']) {
    expect(of(what)).toMatchObject({ isFine: false, repair: expect.any(String) });
  }
  expect(existsSync(join(home, 'data'))).toBe(true);
});

test('completions know every command and flag, and a shell can use them', async () => {
  const home = tempDir();
  const { stdout: script } = await atoll(home, 'completions', 'bash');
  const complete = async (word: string, before: string) => {
    const code = `${script}\n_atoll atoll "$1" "$2"; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await run('bash', ['-c', code, 'bash', word, before])).stdout.trim().split('\n');
  };
  expect(await complete('', 'atoll')).toEqual(expect.arrayContaining(['add', 'list', 'doctor', 'completions']));
  expect(await complete('--po', 'atoll')).toEqual(['--port']);
  expect(await complete('s', '--mode')).toEqual(['search']);
  expect(await complete('cur', 'install')).toEqual(['cursor']);
  for (const shell of ['zsh', 'fish']) {
    expect((await atoll(home, 'completions', shell)).stdout).toMatch(/port.*[\s\S]*doctor|doctor[\s\S]*port/);
  }
  expect(await atoll(home, 'completions', 'cmd')).toMatchObject({ code: 2, stdout: '' });
});
