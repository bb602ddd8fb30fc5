import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { ConfigError, loadConfig } from '@atoll-mcp/server';
import { expect, test, vi } from 'vitest';
import { fileListStore } from '../src/catalog/list-store.ts';
import { NO_LISTS } from '../src/catalog/lists.ts';
import { LearnedShapes } from '../src/code-mode/learned-shapes.ts';
import { configDefinition } from '../src/index.ts';
import { LockFile } from '../src/pins/lock-file.ts';
import { CallPrior } from '../src/search/call-prior.ts';
import { VectorCache } from '../src/search/vector-cache.ts';
import { SecretStore } from '../src/secrets/secret-store.ts';
import { eventually, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000 });

const OBJECT = '{"toString":1,"valueOf":1,"length":{"valueOf":1}}';
const DEEP = 200_000;
const deep = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);

/** What may be found in a file of ours. `inner` values are put where the file has its own. */
const FILES: Readonly<Record<string, string>> = {
  nothing: '',
  'a cut file': '{"version":1,"servers":{"a":{"sou',
  'bytes that are not text': '\u0000\ufffd\u0001'.repeat(1_000),
  'deep lists': deep('[', ']'),
  'deep objects': `${'{"tools":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  null: 'null',
  'a list': '[1,2,3]',
  'a number beyond all bounds': '1e999',
  NaN: '{"version":NaN,"tools":NaN}',
  'objects as texts': `{"version":1,"tools":{"a\\nb":{"schema":${OBJECT},"answers":${OBJECT}}},"servers":{"a":${OBJECT}},"k":${OBJECT}}`,
  'objects as names': `{"tools":[{"name":${OBJECT}}],"prompts":[{"name":[[]]}],"resources":[{"uri":1}],"templates":[{}]}`,
  'prototype names':
    '{"version":1,"__proto__":{"x":1},"constructor":{"prototype":1},"tools":{"__proto__":{"schema":{"type":"constructor"}}},"servers":{"__proto__":{},"toString":{}}}',
  'schemas that are not schemas':
    '{"version":1,"tools":{"one\\ntool":{"schema":{"anyOf":[null,1,{"type":{}}]},"answers":1e999}}}',
  'vectors that are not numbers': `{"key":"${Buffer.from(new Float32Array([Number.NaN, Number.POSITIVE_INFINITY]).buffer).toString('base64')}","k2":"%%%","k3":"AAA="}`,
  'lone surrogates': '{"\\ud800":"\\udfff","version":1,"servers":{"\\ud800":1},"tools":{"\\udfff":{}}}',
  'duplicate keys': '{"version":1,"version":2,"servers":{},"servers":[],"tools":{},"tools":[]}',
  'a newer version': '{"version":99,"servers":{},"tools":{}}',
  '64 MB of one key': `{"${'k'.repeat(64 << 20)}":1}`,
};

const CASES = Object.entries(FILES);

function fileOf(text: string, name = 'file.json'): string {
  const path = join(tempDir(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test.each(CASES)('cached lists with %s are ignored and written again', async (_, text) => {
  const folder = tempDir();
  const store = fileListStore(folder);
  await store.save('one', 'identity', NO_LISTS);
  const [name = ''] = readdirSync(folder);
  writeFileSync(join(folder, name), text);
  expect(await store.load('one', 'identity')).toBeUndefined();
  const lists = { ...NO_LISTS, tools: [{ name: 'echo' }] };
  await store.save('one', 'identity', lists);
  expect(await store.load('one', 'identity')).toEqual(lists);
});

test.each(CASES)('learnt shapes with %s are ignored and learnt again', async (_, text) => {
  const file = fileOf(text);
  const shapes = new LearnedShapes(file, silentLogger);
  await shapes.load();
  expect(() => shapes.learn('one', 'tool', { a: 1 })).not.toThrow();
  await shapes.save();
  const again = new LearnedShapes(file, silentLogger);
  expect(await again.of('one', 'tool')).toMatchObject({ type: 'object', properties: { a: { type: 'number' } } });
});

test.each(CASES)('kept vectors with %s are ignored and made again', async (_, text) => {
  const file = fileOf(text);
  const model = { identity: 'test', embed: async (texts: readonly string[]) => texts.map(() => [0.6, 0.8]) };
  const [vector] = await new VectorCache(file, silentLogger).embed(model, ['hello']);
  expect([...(vector ?? [])].map((value) => value.toFixed(1))).toEqual(['0.6', '0.8']);
  const none = async (): Promise<never> => Promise.reject(new Error('it was not kept'));
  await expect(new VectorCache(file, silentLogger).embed({ ...model, embed: none }, ['hello'])).resolves.toHaveLength(
    1,
  );
});

test.each(CASES)('what searches taught with %s is ignored and learnt again', async (_, text) => {
  const prior = new CallPrior(fileOf(text), silentLogger);
  await prior.load();
  prior.searched('client', 'make a picture', [{ server: 'one', tool: 'draw' }]);
  prior.succeeded('client', 'one', 'draw');
  expect(prior.bonuses('make a picture').get('one', 'draw')).toBeGreaterThan(0);
  await prior.save();
});

test.each(CASES)('a lock file with %s is refused by name or has no pins, and is never overwritten', (_, text) => {
  const path = fileOf(text, 'atoll.lock.json');
  const file = new LockFile(() => path);
  let pins: object | undefined;
  try {
    pins = file.read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems[0]).toContain('atoll.lock.json');
    expect(() => file.update({ one: undefined })).toThrow(ConfigError);
    expect(readFileSync(path, 'utf8') === text).toBe(true);
  }
  if (pins) expect(Object.keys(pins)).toEqual([]);
});

test.each(CASES)('secrets with %s are refused by name, or give nothing of another type', async (_, text) => {
  const path = fileOf(text, 'secrets.json');
  const store = new SecretStore(path, { keychain: false });
  for (const name of ['key', 'constructor', '__proto__', 'toString']) {
    const found = await store.get(name).catch((error: unknown) => {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).problems[0]).toContain('secrets.json');
      return undefined;
    });
    expect(['string', 'undefined']).toContain(typeof found);
  }
});

test.each(CASES)('a configuration with %s is read or refused with a sentence', (_, text) => {
  const argv = ['--config', fileOf(text, 'atoll.json')];
  try {
    loadConfig(configDefinition, { argv, env: {} });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    for (const problem of (error as ConfigError).problems) expect(problem.length).toBeLessThan(2_000);
  }
});

test('an aggregator whose every kept file is hostile starts and serves', async () => {
  const dataDir = tempDir();
  const first = startAggregator({ mcpServers: { one: legacyServer() } }, { dataDir });
  await eventually(() => first.status().every(({ state }) => state === 'up'));
  await first.close();
  const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(kept.length).toBeGreaterThan(0);
  for (const { parentPath, name } of kept) writeFileSync(join(parentPath, name), FILES['objects as names'] ?? '');
  const app = startAggregator({ mcpServers: { one: legacyServer() } }, { dataDir });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  expect(await app.health()).toMatchObject({ status: 'ok' });
});
