import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { helpText } from '../src/cli/help.ts';
import { ConfigError, defineConfig, loadConfig } from '../src/config/config.ts';
import { withoutComments } from '../src/config/without-comments.ts';

const folder = mkdtempSync(join(tmpdir(), 'atoll-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = defineConfig({
  program: 'notes',
  prefix: 'NOTES',
  defaultPort: 7499,
  shape: {
    maxNotes: z
      .int()
      .min(1)
      .default(250)
      .meta({ description: 'How many notes fit', env: ['OLD_MAX'] }),
    importRoot: z.array(z.string()).default([]).describe('Folders to read from'),
    strict: z.boolean().default(true).describe('Refuse what is doubtful'),
    shelves: z
      .record(z.string(), z.object({ size: z.int() }))
      .default({})
      .describe('Where notes stand'),
    readers: z
      .array(z.object({ name: z.string() }).refine(({ name }) => name !== 'nobody', 'is nobody'))
      .default([])
      .meta({ description: 'Who may read', flag: false }),
    apiKey: z.string().optional().meta({ description: 'Key of the service', flag: false, secret: true }),
  },
});

function problemsOf(source: Parameters<typeof loadConfig>[1]): readonly string[] {
  try {
    loadConfig(definition, source);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('flags win over the environment, the environment over the file, the file over defaults', () => {
  const path = join(folder, 'a.yaml');
  writeFileSync(path, 'max-notes: 3\nport: 1\nlogLevel: debug\n');
  const { config } = loadConfig(definition, {
    argv: ['--config', path, '--port', '9'],
    env: { NOTES_PORT: '8', NOTES_MAX_NOTES: '4' },
  });
  expect(config).toMatchObject({ maxNotes: 4, port: 9, logLevel: 'debug', host: '127.0.0.1', strict: true });
});

test('an older name of a variable still works, and the new one wins', () => {
  expect(loadConfig(definition, { env: { OLD_MAX: '7' } }).config.maxNotes).toBe(7);
  expect(loadConfig(definition, { env: { OLD_MAX: '7', NOTES_MAX_NOTES: '8' } }).config.maxNotes).toBe(8);
});

test('lists come from repeated flags or from one variable', () => {
  const { config } = loadConfig(definition, { argv: ['--import-root', '/a', '--import-root=/b'] });
  expect(config.importRoot).toEqual(['/a', '/b']);
  expect(loadConfig(definition, { env: { NOTES_IMPORT_ROOT: '/a:/b' } }).config.importRoot).toEqual(['/a', '/b']);
});

test('blocks of settings and lists of them come as JSON from one variable', () => {
  const env = { NOTES_SHELVES: '{"top":{"size":3}}', NOTES_READERS: '[{"name":"ada"},{"name":"bea"}]' };
  expect(loadConfig(definition, { env }).config).toMatchObject({
    shelves: { top: { size: 3 } },
    readers: [{ name: 'ada' }, { name: 'bea' }],
  });
  expect(loadConfig(definition, { env, argv: ['--shelves', '{}'] }).config.shelves).toEqual({});
  expect(problemsOf({ env: { NOTES_SHELVES: 'top=3', NOTES_READERS: '{"name":"ada"}' } })).toEqual([
    'NOTES_SHELVES: must be JSON',
    'NOTES_READERS: must be a list',
  ]);
  expect(problemsOf({ env: { NOTES_READERS: '[{"name":"nobody"}]' } })).toEqual(['NOTES_READERS.0: is nobody']);
});

test('a switch can be turned off, and words are kept apart from flags', () => {
  const { config, words } = loadConfig(definition, { argv: ['add', 'x.txt', '--no-strict', '--http'] });
  expect(config).toMatchObject({ strict: false, http: true });
  expect(words).toEqual(['add', 'x.txt']);
});

test('every problem is named at once, by the place it came from', () => {
  const problems = problemsOf({
    argv: ['--port', 'many', '--colour', 'red', '--log-level', 'loud'],
    env: { NOTES_MAX_NOTES: '0', NOTES_STRICT: 'perhaps' },
  });
  expect(problems).toHaveLength(5);
  for (const place of ['--port', '--colour', '--log-level', 'NOTES_MAX_NOTES', 'NOTES_STRICT']) {
    expect(problems.filter((problem) => problem.startsWith(place))).toHaveLength(1);
  }
});

test('a problem deep in the config file is named by its whole path', () => {
  const path = join(folder, 'deep.json');
  writeFileSync(path, '{"importRoot": ["/a", 3]}');
  expect(problemsOf({ argv: ['--config', path] })).toEqual([expect.stringContaining(`"importRoot.1" in ${path}: `)]);
});

test('a missing or foreign config file is a problem of its own', () => {
  expect(problemsOf({ argv: ['--config', join(folder, 'none.json')] })).toEqual([
    expect.stringContaining('file not found'),
  ]);
  const path = join(folder, 'b.json');
  writeFileSync(path, '{"maxNotez": 1}');
  expect(problemsOf({ argv: ['--config', path] })).toEqual([expect.stringContaining('"maxNotez"')]);
});

test('a value of the wrong kind is named in plain words', () => {
  expect(problemsOf({ argv: ['--port', 'many'] })).toEqual(['--port: must be a number']);
  expect(problemsOf({ argv: ['--port', '1.5'] })).toEqual(['--port: must be a whole number']);
  expect(problemsOf({ env: { NOTES_STRICT: 'perhaps' } })).toEqual(['NOTES_STRICT: must be true or false']);
  const path = join(folder, 'kinds.json');
  writeFileSync(path, '{"importRoot": 3}');
  expect(problemsOf({ argv: ['--config', path] })).toEqual([`"importRoot" in ${path}: must be a list`]);
});

test.each([
  ['comments after a comma', `,${'/**/'.repeat(200_000)}x`],
  ['comments that never end', '/* '.repeat(500_000)],
  ['commas before comments that never end', ', /* '.repeat(500_000)],
  ['texts that never end', '"\\'.repeat(500_000)],
  ['commas', ',/**/'.repeat(200_000)],
])('a file of %s is read once', (_, text) => {
  expect(withoutComments(text)).toHaveLength(text.length);
});

test.each([
  ['{"a": [1, /* x, } */ 2, // ]\n ], }', '{"a": [1,            2      \n ]  }'],
  ['{"a": "//, /* */ ,]", "b": ",\\"/*"} // "', '{"a": "//, /* */ ,]", "b": ",\\"/*"}     '],
  ['\ufeff/* only\n */', ''],
  ['[1, /* never', '[1, /* never'],
])('of %j the comments are left out', (text, plain) => {
  expect(withoutComments(text)).toBe(plain);
});

test('JSON may have comments and commas after the last entry, as in editors', () => {
  const path = join(folder, 'commented.json');
  const text = '{\n  // first\n  "maxNotes": 7, /* of "all" */\n\t"importRoot": ["/a//b", "c /* d */"],\n}\n';
  writeFileSync(path, text);
  const { config } = loadConfig(definition, { argv: ['--config', path] });
  expect(config).toMatchObject({ maxNotes: 7, importRoot: ['/a//b', 'c /* d */'] });
  writeFileSync(path, text.replace('maxNotes', 'maxNotez'));
  expect(problemsOf({ argv: ['--config', path] })).toEqual([`"maxNotez" in ${path}: unknown setting`]);
  const yaml = join(folder, 'plain.yaml');
  writeFileSync(yaml, '{importRoot: [/a//b]}');
  expect(loadConfig(definition, { argv: ['--config', yaml] }).config.importRoot).toEqual(['/a//b']);
});

test('a config file that cannot be read says where, or why', () => {
  const path = join(folder, 'broken.json');
  writeFileSync(path, '{\n  "port": 1,\n  nonsense');
  expect(problemsOf({ argv: ['--config', path] })).toEqual([
    expect.stringMatching(/is neither JSON nor YAML \(line \d+, column \d+\)$/),
  ]);
  expect(problemsOf({ argv: ['--config', folder] })).toEqual([`${folder}: is a folder; give a file`]);
  const alias = join(folder, 'alias.yaml');
  writeFileSync(alias, 'port: *nowhere');
  expect(problemsOf({ argv: ['--config', alias] })).toEqual([`${alias}: is neither JSON nor YAML`]);
});

test('the data folder follows the home folder it is given', () => {
  expect(loadConfig(definition, { env: { HOME: folder } }).config.dataDir).toContain(folder);
  expect(loadConfig(definition, { env: { HOME: folder } }).config.dataDir).toMatch(/atoll.notes$/);
});

test('help names every flag and hides what only the environment sets', () => {
  const help = helpText(definition, { description: 'Keeps notes.' });
  expect(help).toContain('--max-notes N');
  expect(help).toContain('(default: 250)');
  expect(help).not.toContain('--api-key');
});
