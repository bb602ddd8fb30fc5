import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, defineConfig, loadConfig } from '../src/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'atoll-config-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = defineConfig({
  program: 'notes',
  prefix: 'NOTES',
  defaultPort: 7499,
  shape: {
    maxNotes: z.int().min(1).default(250).describe('How many notes fit'),
    importRoot: z.array(z.string()).default([]).describe('Folders to read from'),
    strict: z.boolean().default(true).describe('Refuse what is doubtful'),
  },
});
const names = ['max-notes', 'import-root', 'strict', 'port', 'host', 'http', 'data-dir', 'log-level', 'tool-names'];
const flags = fc.oneof(
  fc.string(),
  fc.constantFrom(...names).map((name) => `--${name}`),
  fc.tuple(fc.constantFrom(...names), fc.string()).map(([name, value]) => `--${name}=${value}`),
  fc.constantFrom(...names).map((name) => `--no-${name}`),
);
const variables = fc.dictionary(
  fc.constantFrom(...names).map((name) => `NOTES_${name.toUpperCase().replaceAll('-', '_')}`),
  fc.string(),
);

/** The settings, or nothing where they were refused; any other failure is a crash. */
function settingsOf(source: Parameters<typeof loadConfig>[1]) {
  try {
    return loadConfig(definition, source).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    return undefined;
  }
}

test('whatever flags and variables say, settings fit or every problem is told', () => {
  fc.assert(
    fc.property(fc.array(flags, { maxLength: 6 }), variables, (argv, env) => {
      const settings = settingsOf({ argv: argv.filter((flag) => !flag.startsWith('--config')), env });
      if (!settings) return;
      expect(Number.isInteger(settings.maxNotes) && settings.maxNotes >= 1).toBe(true);
      expect(settings.port >= 0 && settings.port <= 65_535).toBe(true);
      expect(typeof settings.strict).toBe('boolean');
    }),
    { numRuns: 500 },
  );
});

test('whatever a file holds, settings fit or every problem is told', () => {
  const path = join(folder, 'any.yaml');
  const pairs = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        pairs.map((settings) => JSON.stringify(settings)),
      ),
      (text) => {
        writeFileSync(path, text);
        settingsOf({ argv: ['--config', path], env: {} });
      },
    ),
    { numRuns: 300 },
  );
});

test('a name that every object inherits is no setting', () => {
  const path = join(folder, 'proto.json');
  writeFileSync(path, '{"__proto__": {"strict": false}, "constructor": 1}');
  expect(settingsOf({ argv: ['--config', path], env: {} })?.strict ?? true).toBe(true);
});
