import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Contract, Tool } from '@atoll-mcp/core';
import {
  callTool,
  envelopeOf,
  inputSchemaOf,
  type JsonSchema,
  outputSchemaOf,
  silentLogger,
  ToolError,
} from '@atoll-mcp/core';
import { describe, expect, test } from 'vitest';

export interface ContractSuiteOptions {
  /** The package's folder, to look for tools and backends that are not listed. */
  readonly packageDir: string;
  /** Where its tools are, within the package. */
  readonly toolsDir?: string;
}

/** What every contract of ours keeps, tool by tool. */
export function contractSuite<Service>(
  contract: Contract<Service>,
  { packageDir, toolsDir = 'src/tools' }: ContractSuiteOptions,
): void {
  describe(`contract of ${contract.name}`, () => {
    test('names are legal and unique, also in their safe spelling', () => {
      const names = contract.tools.map(({ name }) => name);
      for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_.-]{0,59}$/);
      expect(new Set(names.map((name) => name.replaceAll('.', '_'))).size).toBe(names.length);
    });

    test('its version is the one that is published', () => {
      const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
      expect(contract.version).toBe(version);
    });

    test('every file in tools/ is in the contract', () => {
      const files = sourcesIn(join(packageDir, toolsDir));
      expect(files).toEqual(contract.tools.map(({ name }) => fileNameOf(name)).sort());
    });

    test('every file in backends/ is reached from the program or is a worker of its own', () => {
      const folder = join(packageDir, 'src/backends');
      if (!existsSync(join(folder, 'choose.ts'))) return;
      const reached = new Set<string>();
      for (const root of ['index.ts', 'server.ts', 'cli.ts']) reachedFrom(join(packageDir, 'src', root), reached);
      const entries = JSON.stringify(JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')).tsup?.entry);
      const files = allSources(folder).filter((file) => !file.endsWith('.d.ts'));
      const entryName = (file: string) => relative(packageDir, file).replaceAll(sep, '/');
      for (const file of files) if (entries?.includes(`"${entryName(file)}"`)) reachedFrom(file, reached);
      expect(files.filter((file) => !reached.has(file)).map(entryName)).toEqual([]);
    });

    test('every code that a tool declares is raised somewhere', () => {
      const raised = allSources(join(packageDir, 'src'))
        .filter((file) => !file.includes(`${sep}tools${sep}`))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
      const declared = new Set(contract.tools.flatMap(({ errors }) => errors));
      expect([...declared].filter((code) => !raised.includes(`'${code}'`))).toEqual([]);
    });

    test('every prompt and resource says what it is', () => {
      for (const item of [...(contract.prompts ?? []), ...(contract.resources ?? [])]) {
        expect(item.title, item.name).toBeTruthy();
        expect(item.description, item.name).toBeTruthy();
      }
    });

    for (const tool of contract.tools) describe(tool.name, () => toolSuite(contract, tool));
  });
}

/** Lists of types in a schema, and `items: false`: strict validators warn of the one and refuse the other. */
function typeLists(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, items } = schema as { type?: unknown; items?: unknown };
  const isOdd = Array.isArray(type) || items === false;
  return [...(isOdd ? [schema] : []), ...Object.values(schema).flatMap(typeLists)];
}

function toolSuite<Service>(contract: Contract<Service>, tool: Tool<Service>): void {
  test('has a title, a description and all four hints', () => {
    expect(tool.title).toBeTruthy();
    expect(tool.description.length).toBeGreaterThan(20);
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint])
      expect(hint).toBeTypeOf('boolean');
  });

  test('describes every argument', () => {
    const { properties = {} } = inputSchemaOf(tool) as { properties?: Record<string, JsonSchema> };
    for (const [name, schema] of Object.entries(properties)) expect(schema.description, name).toBeTruthy();
  });

  test('shows schemas without a dialect', () => {
    const shown = JSON.stringify([inputSchemaOf(tool), outputSchemaOf(contract, tool)]);
    expect(shown).not.toContain('$schema');
  });

  test('shows schemas that strict validators take without a warning', () => {
    expect(typeLists([inputSchemaOf(tool), outputSchemaOf(contract, tool)])).toEqual([]);
  });

  test('words every failure it declares in its own envelope', () => {
    const envelope = envelopeOf(contract, tool);
    const call = { tool: tool.name, args: {}, now: () => new Date(0) };
    for (const code of tool.errors) {
      const body = envelope.fail(new ToolError(code, `A sentence for ${code}`, { suggestion: 'Try again' }), call);
      expect(envelope.failure.safeParse(body).success, code).toBe(true);
    }
  });

  test('answers bad input in the envelope, never as a protocol error', async () => {
    const answer = await callTool(contract, tool, 'not an object', options(rejected));
    expect(answer.isError).toBe(true);
    expect(bodyFits(contract, tool, answer.structuredContent ?? textOf(answer))).toBe(true);
  });

  test('tells nothing of a crash', async () => {
    const failure = contract.failures.internal(new Error('secret detail'), { tool: tool.name, args: {} });
    const body = envelopeOf(contract, tool).fail(failure, { tool: tool.name, args: {}, now: () => new Date(0) });
    expect(JSON.stringify(body)).not.toContain('secret detail');
    expect(bodyFits(contract, tool, body)).toBe(true);
  });
}

function bodyFits<Service>(contract: Contract<Service>, tool: Tool<Service>, body: unknown): boolean {
  return envelopeOf(contract, tool).failure.safeParse(body).success;
}

function textOf(answer: { content: readonly { type: string }[] }): string {
  const [first] = answer.content as readonly { type: string; text?: string }[];
  return first?.text ?? '';
}

const rejected = () => Promise.reject(new Error('bad input must not open the service'));

const options = <Service>(service: () => Promise<Service>) => ({
  service,
  signal: new AbortController().signal,
  client: { id: 'test' },
  log: silentLogger,
  now: () => new Date(0),
  progress: () => {},
});

/** The files that a file imports, directly or through others; types count too, for an interface is one. */
function reachedFrom(file: string, reached: Set<string>): Set<string> {
  if (reached.has(file) || !existsSync(file)) return reached;
  reached.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
    reachedFrom(join(file, '..', path!), reached);
  }
  return reached;
}

function allSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function sourcesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort();
}

function fileNameOf(tool: string): string {
  return `${tool.replaceAll(/[._]/g, '-')}.ts`;
}
