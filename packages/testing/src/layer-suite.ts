import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What a room may import: other rooms of its package, by value or as types only. */
interface Rule {
  readonly values: readonly string[];
  readonly types?: readonly string[];
}

const RULES: Record<string, Rule> = {
  'tools/': { values: ['define-tool', 'schemas', 'envelope', 'errors'], types: ['service', 'domain/'] },
  'domain/': { values: ['domain/', 'schemas'] },
  'backends/': { values: ['domain/', 'errors', 'schemas', 'backends/'], types: ['config', 'service'] },
  'service/': { values: ['domain/', 'errors', 'schemas', 'service/'], types: ['backends/interface', 'service'] },
  'service.ts': { values: ['domain/', 'errors', 'schemas', 'service/'], types: ['backends/interface'] },
  'contract.ts': { values: ['tools/', 'resources/', 'prompts/', 'envelope', 'errors', 'schemas'], types: ['service'] },
  'schemas.ts': { values: ['domain/'] },
  'envelope.ts': { values: ['schemas'] },
  'errors.ts': { values: [] },
  'define-tool.ts': { values: [], types: ['service'] },
};

// The build copies the parts of formats that are used; network and process modules are left out on purpose.
const CONTRACT_IMPORTS = /^(?:@atoll-mcp\/core|zod|@atoll-mcp\/formats\/[\w-]+|node:(?:path|url|stream\/consumers))$/;

/** Imports only point from the transport towards the backends; this holds them to it. */
export function layerSuite(packageDir: string): void {
  const root = join(packageDir, 'src');
  describe('layers', () => {
    for (const file of sources(root)) {
      const name = relative(root, file).replaceAll('\\', '/');
      const rule = ruleFor(name);
      if (!rule) continue;
      test(`${name} imports only what its room may`, () => {
        expect(faults(name, readFileSync(file, 'utf8'), rule)).toEqual([]);
      });
    }
    test('its contract imports only core, zod and built-in modules', () => {
      const imported = importedPackages(join(root, 'contract.ts'));
      expect([...imported].filter((name) => !CONTRACT_IMPORTS.test(name))).toEqual([]);
    });
    test('no source file is longer than 300 lines', () => {
      const long = sources(root).filter((file) => readFileSync(file, 'utf8').split('\n').length > 301);
      expect(long.map((file) => relative(root, file))).toEqual([]);
    });
  });
}

function ruleFor(name: string): Rule | undefined {
  const room = Object.keys(RULES).find((key) => (key.endsWith('/') ? name.startsWith(key) : name === key));
  return room ? RULES[room] : undefined;
}

function faults(name: string, source: string, rule: Rule): string[] {
  const found: string[] = [];
  for (const [, kind, path] of source.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"](\.[^'"]+)['"]/gm)) {
    const target = join(name, '..', path!).replaceAll('\\', '/').replace(/\.ts$/, '');
    // Any room may know its own package's name and version.
    if (target === '../package.json') continue;
    const allowed = [...rule.values, ...(kind ? (rule.types ?? []) : [])];
    if (!allowed.some((room) => (room.endsWith('/') ? target.startsWith(room) : target === room))) found.push(target);
  }
  return found;
}

/** The packages that a module loads, itself or through other files of its package. */
function importedPackages(file: string, seen = new Set<string>(), packages = new Set<string>()): Set<string> {
  if (seen.has(file)) return packages;
  seen.add(file);
  const imports = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?from\s+)?['"]([^'"]+)['"]/gm;
  for (const [, path] of readFileSync(file, 'utf8').matchAll(imports)) {
    if (!path!.startsWith('.')) packages.add(path!);
    else if (path!.endsWith('.ts')) importedPackages(join(file, '..', path!), seen, packages);
  }
  return packages;
}

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) return sources(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}
