// Makes an MCPB bundle of every server (or of those named), with all it needs inside, into .cache/bundles; validates each by the format's own tool.
// With --manifests it stops after the manifests.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedPackages } from '../cache.mjs';
import { root, serverFolders } from '../workspace.mjs';
import { overStdio, tally } from './list-tools.mjs';

const { packageManager } = readJson('package.json');
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const onlyManifests = process.argv.includes('--manifests');
const folder = mkdtempSync(join(tmpdir(), 'atoll-bundle-'));
const { check, end } = tally();
const servers = serverFolders().filter((path) => words.length === 0 || words.some((word) => path.endsWith(`/${word}`)));

try {
  const mcpb = bundler();
  if (!onlyManifests)
    run('npx', ['--yes', packageManager, '-r', 'pack', '--pack-destination', join(folder, 'tarballs')]);
  for (const path of servers) {
    const name = path.split('/')[1];
    const bundle = join(folder, name);
    mkdirSync(bundle);
    await check(`${name}: its manifest is valid`, () => {
      writeFileSync(join(bundle, 'manifest.json'), `${JSON.stringify(manifestOf(path), null, 2)}\n`);
      run(process.execPath, [mcpb, 'validate', join(bundle, 'manifest.json')]);
    });
    if (!onlyManifests) await check(`${name}: its bundle starts`, () => makeBundle({ path, name, bundle, mcpb }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
end();

function manifestOf(path) {
  const { title, description, version } = readJson(`${path}/server.json`);
  const manifest = readJson(`${path}/package.json`);
  const { tools, instructions } = readJson(`${path}/contract.json`);
  const program = `node_modules/${manifest.name}/dist/cli.js`;
  // Claude Desktop, which most bundles are for, takes no dots in names of tools.
  const flags = tools.some(({ name }) => name.includes('.')) ? ['--tool-names', 'underscore'] : [];
  return {
    manifest_version: '0.3',
    name: path.split('/')[1],
    display_name: title,
    version,
    description,
    ...(instructions && { long_description: instructions }),
    author: { name: 'Atoll' },
    license: manifest.license,
    server: {
      type: 'node',
      entry_point: program,
      mcp_config: { command: 'node', args: [`\${__dirname}/${program}`, ...flags] },
    },
    tools: tools.map(({ name, description }) => ({ name: name.replaceAll('.', '_'), description })),
    tools_generated: path.startsWith('apps/'),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: manifest.engines.node } },
  };
}

async function makeBundle({ path, name, bundle, mcpb }) {
  const tarballs = readdirSync(join(folder, 'tarballs'));
  const needed = tarballs.filter((file) => isNeeded(readJson(`${path}/package.json`).name, file));
  writeFileSync(join(bundle, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  const files = needed.map((file) => join(folder, 'tarballs', file));
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--omit=dev', '--prefix', bundle, ...files], bundle);
  cpSync(join(root, 'LICENSE'), join(bundle, 'LICENSE'));
  const target = join(root, '.cache/bundles', `${name}.mcpb`);
  mkdirSync(join(target, '..'), { recursive: true });
  run(process.execPath, [mcpb, 'pack', bundle, target]);
  run(process.execPath, [mcpb, 'unpack', target, join(folder, `${name}-again`)]);
  const [program, ...flags] = readJson(join(folder, `${name}-again/manifest.json`)).server.mcp_config.args;
  const cli = program.replace(`\${__dirname}`, join(folder, `${name}-again`));
  const listed = await overStdio(process.execPath, [cli, ...flags, '--data-dir', join(folder, `${name}-data`)]);
  if (listed.length === 0) throw new Error('it lists no tools');
}

/** A package of ours and those of ours that it needs, as tarballs. */
function isNeeded(name, file) {
  return ours(name).some((one) => file.startsWith(`${one.replace('@', '').replace('/', '-')}-`));
}

function ours(name) {
  const short = name.split('/')[1];
  const path = existsSync(join(root, 'packages', short)) ? `packages/${short}` : `apps/${short}`;
  const needs = Object.keys(readJson(`${path}/package.json`).dependencies ?? {}).filter((one) =>
    one.startsWith('@atoll-mcp/'),
  );
  return [...new Set([name, ...needs.flatMap(ours)])];
}

/** The bundler is not a dependency of the project: it is fetched when it is needed, and kept. */
function bundler() {
  return join(cachedPackages('mcpb', ['@anthropic-ai/mcpb@2']), 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
}

function run(command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(error?.message ?? `${stdout}${stderr}`.slice(-1500));
}

function readJson(path) {
  return JSON.parse(readFileSync(path.startsWith('/') ? path : join(root, path), 'utf8'));
}
