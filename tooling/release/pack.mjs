// Packs every package as a release would, looks into the tarballs, and uses them as a stranger would: plain npm, an empty project.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedNode, cachedPackages } from '../cache.mjs';
import { isPermissive, readLicence } from '../permissive.mjs';
import { publishedFolders, root } from '../workspace.mjs';
import { overStdio, tally } from './list-tools.mjs';

const { packageManager, engines } = readJson(join(root, 'package.json'));
const { check, end } = tally();
const HEAVY =
  /sqlite|sql\.js|quickjs|onnxruntime|transformers|tokenizers|embed-minilm|pdfium|xlsx|node_modules\/pg|aws-sdk|serve-http/;
const NETWORK = /^node:(https?|http2|net|tls|child_process)$/;
// Prints what each import resolves to, so that a test can read what a module brings along.
const watchSource = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { writeSync } from 'node:fs';
  export async function resolve(name, context, next) {
    const found = await next(name, context);
    writeSync(2, found.url + '\\\\n');
    return found;
  }
\`));
`;
const folder = mkdtempSync(join(tmpdir(), 'atoll-pack-'));
const packages = publishedFolders().map((path) => describe(join(root, path)));
const servers = packages.filter(({ server }) => server !== undefined);

try {
  const { publint, formatMessage, types } = await tools();
  run('npx', ['--yes', packageManager, '-r', 'pack', '--pack-destination', folder], root);
  for (const one of packages) await lookInto(one, { publint, formatMessage, types });
  const project = await installAll();
  await useContracts(project);
  await startPrograms(project);
} catch (error) {
  await check('everything packs and installs', () => {
    throw error;
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
end();

function describe(path) {
  const manifest = readJson(join(path, 'package.json'));
  const server = existsSync(join(path, 'server.json')) ? readJson(join(path, 'server.json')) : undefined;
  const tarball = join(folder, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`);
  return { path, manifest, server, tarball, bins: Object.keys(manifest.bin ?? {}) };
}

/** The checkers are not dependencies of the project: they are fetched when they are needed, and kept. */
async function tools() {
  const cache = cachedPackages('pack-tools', ['publint@0.3', '@arethetypeswrong/core@0.18']);
  const load = (path) => import(pathToFileURL(join(cache, 'node_modules', path)).href);
  const { publint } = await load('publint/src/index-node.js');
  const { formatMessage } = await load('publint/src/utils.js');
  const types = await load('@arethetypeswrong/core/dist/index.js');
  return { publint, formatMessage, types };
}

async function lookInto({ manifest, server, tarball }, { publint, formatMessage, types }) {
  const { name } = manifest;
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n').filter(Boolean);
  const packed = JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }));
  await check(`${name}: holds what it needs and nothing more`, () => {
    const wanted = ['README.md', 'LICENSE', 'package.json', ...(server ? ['contract.json', 'server.json'] : [])];
    const entries = Object.values(manifest.exports).flatMap((entry) => Object.values(entry));
    for (const file of [...wanted, ...entries, ...Object.values(manifest.bin ?? {})]) {
      expect(files.includes(`package/${file.replace('./', '')}`), `${file} is missing`);
    }
    const odd = files.filter((file) =>
      /\.map$|\.test\.|\/test\/|\/src\/|\.turbo|\.tsbuildinfo|__pycache__|\.log$/.test(file),
    );
    expect(odd.length === 0, `${odd.join(', ')} should not be there`);
    const text = execFileSync('tar', ['-xzOf', tarball], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
    expect(!text.includes(root.replace(/\/$/, '')), 'the path of this checkout is in it');
  });
  await check(`${name}: its package.json is fit for a registry`, () => {
    const ranges = Object.values({
      ...packed.dependencies,
      ...packed.peerDependencies,
      ...packed.optionalDependencies,
    });
    expect(
      !ranges.some((range) => /workspace:|catalog:|file:|link:/.test(range)),
      'a range of the workspace was left in',
    );
    const scripts = ['preinstall', 'install', 'postinstall', 'prepare'].filter((script) => packed.scripts?.[script]);
    expect(scripts.length === 0, `${scripts.join(', ')} would run on installation`);
    expect(packed.engines?.node === engines.node, 'engines.node is not that of the project');
    expect(packed.type === 'module' && packed.license && packed.description, 'type, license or description is missing');
    if (server === undefined) return;
    expect(packed.mcpName === server.name, 'mcpName and the name in server.json differ');
    expect(server.version === packed.version, 'the versions in server.json and package.json differ');
  });
  await check(`${name}: publint`, async () => {
    const { messages } = await publint({ pack: { tarball: readBytes(tarball) }, level: 'suggestion' });
    expect(messages.length === 0, messages.map((message) => formatMessage(message, packed) ?? message.code).join('; '));
  });
  await check(`${name}: types resolve for ESM`, async () => {
    const analysis = await types.checkPackage(
      types.createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
    );
    expect(analysis.types !== false, 'no types at all');
    // An ESM-only package is by design not for require() nor for resolution older than `exports`.
    const problems = analysis.problems.filter(
      ({ kind, resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind) && kind !== 'CJSResolvesToESM',
    );
    expect(problems.length === 0, JSON.stringify(problems));
  });
}

async function installAll() {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
  // The package for tests brings a test runner along, which is not needed to run a server.
  const [used, forTests] = [false, true].map((isForTests) =>
    packages.filter(({ manifest }) => (manifest.name === '@atoll-mcp/testing') === isForTests),
  );
  const install = (group) => {
    const tarballs = group.map(({ tarball }) => tarball);
    npmInstall(project, tarballs);
    const again = group.filter(({ manifest }) => !existsSync(join(project, 'node_modules', manifest.name)));
    expect(again.length === 0, `${again.map(({ manifest }) => manifest.name).join(', ')} did not arrive`);
  };
  await check('all install into an empty project with plain npm', () => install(used));
  await check('everything that came along has a permissive licence', () => {
    const others = licencesIn(join(project, 'node_modules')).filter(
      ({ name, licence }) => !isPermissive(readLicence(name) ?? licence),
    );
    expect(others.length === 0, others.map(({ name, licence }) => `${name}: ${licence}`).join(', '));
  });
  await check('the package for tests installs beside them', () => install(forTests));
  return project;
}

function licencesIn(modules) {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(modules, name);
      if (name.startsWith('@')) return licencesIn(path);
      if (!existsSync(join(path, 'package.json'))) return [];
      const nested = join(path, 'node_modules');
      return [
        { name, licence: readJson(join(path, 'package.json')).license },
        ...(existsSync(nested) ? licencesIn(nested) : []),
      ];
    });
}

/** Contracts are for programs that talk to a server: strict types, and nothing heavy behind them. */
async function useContracts(project) {
  const lines = servers.map(({ manifest }, at) => `import { contract as c${at} } from '${manifest.name}';`);
  const uses = servers.map((_, at) => `c${at}`);
  writeFileSync(
    join(project, 'strict.ts'),
    `${lines.join('\n')}\nexport const names: readonly string[] = [${uses.join(', ')}].flatMap(({ tools }) => tools.map(({ name }) => name));\n`,
  );
  await check('a strict TypeScript project imports every contract', () => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--verbatimModuleSyntax'];
    const flags = [
      ...strict,
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      '--skipLibCheck',
      'false',
    ];
    const typeRoots = ['--typeRoots', join(root, 'packages/server/node_modules/@types')];
    run(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...typeRoots, 'strict.ts'],
      project,
    );
  });
  writeFileSync(join(project, 'watch.mjs'), watchSource);
  for (const { manifest } of servers) {
    await check(`${manifest.name}: its contract loads no database, model or HTTP server`, () => {
      const source = `const { contract } = await import('${manifest.name}'); if (contract.tools.length === 0) process.exit(1);`;
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', './watch.mjs', '--input-type=module', '-e', source],
        {
          cwd: project,
          encoding: 'utf8',
        },
      );
      expect(status === 0, stderr.slice(-500));
      // The aggregator's contract comes with a client of other servers; all others come with no network code at all.
      const isClient = manifest.name === '@atoll-mcp/aggregator';
      const heavy = stderr.split('\n').filter((line) => HEAVY.test(line) || (!isClient && NETWORK.test(line)));
      expect(heavy.length === 0, `loads ${[...new Set(heavy)].join(', ')}`);
    });
    if (!manifest.exports['./contract']) continue;
    await check(`${manifest.name}/contract loads core, zod and itself alone`, () => {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', './watch.mjs', '--input-type=module', '-e', `await import('${manifest.name}/contract')`],
        { cwd: project, encoding: 'utf8' },
      );
      expect(status === 0, stderr.slice(-500));
      const allowed = new Set([manifest.name, '@atoll-mcp/core', 'zod']);
      const loaded = [...stderr.matchAll(/\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/g)].map(([, name]) => name);
      expect(loaded.includes(manifest.name), 'nothing was seen to load');
      const others = [...new Set(loaded)].filter((name) => !allowed.has(name));
      expect(others.length === 0, `loads ${others.join(', ')}`);
    });
  }
}

async function startPrograms(project) {
  const bin = join(project, 'node_modules/.bin');
  for (const node of [process.execPath, cachedNode(22), cachedNode(24)]) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    for (const { path, bins } of servers) {
      await check(`${bins[0]} starts from its tarball on Node ${version}`, async () => {
        const least = readJson(join(path, 'contract.json')).tools.filter(({ optIn }) => !optIn).length;
        const dataDir = mkdtempSync(join(folder, 'data-'));
        const listed = await overStdio(node, [join(bin, bins[0]), '--data-dir', dataDir]);
        expect(listed.length >= least, `listed ${listed.length} of ${least} tools`);
      });
    }
  }
}

function npmInstall(prefix, names) {
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', prefix, ...names], prefix);
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `${stdout}${stderr}`.slice(-2000)}`);
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

function readBytes(path) {
  return new Uint8Array(readFileSync(path)).buffer;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
