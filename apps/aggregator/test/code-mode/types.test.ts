import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputSchemaOf, isObject, type Json, outputSchemaOf } from '@atoll-mcp/core';
import ts from 'typescript';
import { expect, test, vi } from 'vitest';
import { adminContract } from '../../src/admin/contract.ts';
import { argumentProblem } from '../../src/code-mode/check-arguments.ts';
import { declarationOf } from '../../src/code-mode/typescript.ts';
import { mergeSchemas, schemaOf } from '../../src/code-mode/value-schema.ts';
import { contract } from '../../src/contract.ts';
import { tempDir } from '../harness.ts';
import { shop } from './programs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const problemsOf = (text: string) =>
  ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { strict: true } }).diagnostics ?? [];

async function declared(call: Awaited<ReturnType<typeof shop>>['call'], name: string): Promise<string> {
  const { structuredContent } = await call('describe_tool', { name, as: 'typescript' });
  return (structuredContent as { typescript: string }).typescript;
}

test('a tool is declared with its doc comments, and its result as programs get it', async () => {
  const { call } = await shop();
  expect(await declared(call, 'get_price')).toBe(`interface Tools {
  get_price(args: {
    /** Of the item */
    id: number;
  }): Promise<number>;
}`);
  expect(await declared(call, 'set_price')).toContain('Not marked as read-only: a call may have to be confirmed.');
  const { structuredContent } = await call('describe_tool', { name: ['get_price', 'note'], as: 'typescript' });
  expect((structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
    'get_price',
    'note',
  ]);
});

test('a shape that a tool does not declare is learnt from answers, kept without values, and known after a restart', async () => {
  const dataDir = tempDir();
  const { call, run, app } = await shop({ dataDir });
  expect(await declared(call, 'list_items')).toContain('Promise<unknown>');
  await run('await tools.list_items({ limit: 2 }); await tools.note()');
  const learnt = await declared(call, 'list_items');
  expect(learnt).toContain('inferred from earlier results');
  expect(learnt).toContain('items: Array<{');
  expect(learnt).toContain('price: number;');
  expect(problemsOf(learnt)).toEqual([]);
  expect(await declared(call, 'note')).toContain('Promise<string>');
  await app.close();
  const kept = readFileSync(join(dataDir, 'aggregator/tool-shapes.json'), 'utf8');
  expect(kept).toContain('"price":{"type":"number"}');
  expect(kept).not.toContain('item 1');
  const again = await shop({ dataDir });
  expect(await declared(again.call, 'list_items')).toBe(learnt);
});

test('a learnt schema holds no values and no keys that are data', () => {
  const first = {
    id: 1,
    name: 'secret name',
    tags: ['a'],
    by: { 'ann@example.org': { n: 1 }, 'bob@example.org': { n: 2 } },
  };
  const second = { id: null, tags: [], extra: true, by: {} };
  const schema = mergeSchemas(schemaOf(first), schemaOf(second));
  expect(schema).toMatchObject({ type: 'object', required: ['id', 'tags', 'by'] });
  for (const value of ['secret', 'ann', 'bob', 'example']) expect(JSON.stringify(schema)).not.toContain(value);
  for (const value of [first, second]) expect(argumentProblem(schema, value as unknown as Json)).toBeUndefined();
});

test('every tool of a contract gives TypeScript that compiles', () => {
  const all = [contract, adminContract].flatMap((each) =>
    each.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchemaOf(tool as never),
      outputSchema: outputSchemaOf(each as never, tool as never),
    })),
  );
  for (const tool of all) expect(problemsOf(declarationOf(tool, tool.name, undefined)), tool.name).toEqual([]);
});

test('hostile definitions give harmless declarations', () => {
  const loop: Json = { type: 'object', properties: { next: { $ref: '#' } } };
  const hostile: Json[] = [
    {
      description: '*/ } declare const x: any; /*',
      inputSchema: { type: 'object', properties: { '*/ x': { description: '*/' } } },
    },
    { inputSchema: loop, outputSchema: loop },
    {
      inputSchema: { type: 'object', properties: { a: { enum: [{ deep: '`$x`' }, 'b"'] } } },
      outputSchema: { $ref: '#/nothing' },
    },
    { inputSchema: 'no schema', outputSchema: [] as unknown as Json },
  ];
  for (const definition of hostile) {
    const text = declarationOf(definition, 'a-b', undefined);
    expect(problemsOf(text), text).toEqual([]);
    expect(text).not.toMatch(/^declare/m);
  }
});

/** Small, and without end when every reference is followed. */
function unfolding(width: number): Json {
  const level = (next: string) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: width }, (_, i) => [`p${i}`, { $ref: next }])),
  });
  const levels = Array.from({ length: 12 }, (_, i) => [`d${i}`, level(`#/$defs/d${i + 1}`)] as const);
  return { ...level('#/$defs/d0'), $defs: { ...Object.fromEntries(levels), d12: { type: 'string' } } };
}

test('a declaration is bounded, however long the description and whatever the schema unfolds to', () => {
  const long = declarationOf({ description: 'x'.repeat(40_000), inputSchema: { type: 'object' } }, 'a', undefined);
  expect(long.length).toBeLessThan(20_000);
  expect(problemsOf(long)).toEqual([]);
  expect(declarationOf({ inputSchema: {} }, 'n'.repeat(30_000), undefined)).toContain('Promise<unknown>');
  const schema = unfolding(500);
  for (const definition of [{ inputSchema: schema }, { inputSchema: {}, outputSchema: schema }] as Json[]) {
    expect(declarationOf(definition, 'a', undefined)).toContain('args?: Record<string, unknown>');
  }
});

test('arguments are checked in a bounded time and with a short message, whatever the schema and the values', () => {
  const forms = (form: (index: number) => Json) => ({
    properties: { a: { anyOf: Array.from({ length: 50_000 }, (_, index) => form(index)) } },
  });
  const text = 'x'.repeat(400_000);
  const many = Array.from({ length: 20_000 }, (_, index) => `${index}`);
  const wide = Object.fromEntries(many.map((name) => [name, name]));
  const hostile: [Json, unknown][] = [
    [forms(() => ({ minLength: 500_000 })), text],
    [forms((index) => ({ enum: [index] })), { text }],
    [forms(() => ({ enum: many })), text],
    [forms(() => ({ type: many })), text],
    [forms(() => ({ required: many, additionalProperties: false })), wide],
    [forms(() => ({ properties: wide, additionalProperties: false })), { other: 1 }],
    [forms(() => ({ items: { type: 'string' } })), many],
  ];
  for (const [schema, a] of hostile) expect((argumentProblem(schema, { a }) ?? '').length).toBeLessThan(3_000);
});

test('schemas of foreign servers take no time beyond a bound, and run no patterns', () => {
  let bomb: Json = { type: 'object' };
  for (let level = 0; level < 40; level++) bomb = { anyOf: [bomb, bomb, { type: 'string' }] };
  const started = performance.now();
  argumentProblem(bomb, {});
  argumentProblem({ $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, {});
  const slow = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
  expect(argumentProblem(slow, { text: `${'a'.repeat(40)}!` })).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(2_000);
});

test.each([
  [{ type: 'object', required: ['constructor'] }, {}, 'constructor is required'],
  [{ type: 'object', properties: { a: {} }, additionalProperties: false }, { b: 1 }, 'b is unknown; known are a'],
  [{ type: 'object', properties: { a: { enum: ['x', 'y'] } } }, { a: 'z' }, 'a must be "x" or "y"'],
  [
    { type: 'object', properties: { a: { items: { type: 'number' } } } },
    { a: [1, 'b'] },
    'a[1] must be number, not string',
  ],
  [{ type: 'object', properties: { a: { minLength: 2 } } }, { a: 'x' }, 'a must be at least 2 characters'],
  [{ type: 'object', properties: { a: { anyOf: [{ type: 'null' }, { type: 'integer' }] } } }, { a: null }, undefined],
] as [Json, Json, string | undefined][])('%j is checked', (schema, args, problem) => {
  expect(argumentProblem(schema, args)).toBe(problem);
  expect(isObject(args)).toBe(true);
});
