import { join } from 'node:path';
import { ToolError } from '@atoll-mcp/core';
import type { Command, CommonConfig } from '@atoll-mcp/server';
import { ModelProblem } from '../backends/model-problem.ts';
import { ModelStore } from '../backends/models/model-store.ts';
import { pullModel } from '../backends/models/pull-model.ts';
import type { CortexConfig } from '../config.ts';
import { identityOf } from '../domain/models/installed-model.ts';
import type { ListedModel } from '../domain/models/listed-model.ts';
import { listModels } from '../model-library.ts';
import { listedModel } from '../schemas.ts';
import { progressLine } from './progress-line.ts';

type OwnConfig = Omit<CortexConfig, keyof CommonConfig>;

const USAGE = 'models list | pull NAME | remove NAME | use NAME [--json]';

/** Lists available and installed models. Only `pull` downloads anything. */
export const models: Command<OwnConfig> = {
  usage: USAGE,
  summary: 'List, download, remove or choose models',
  flags: ['json'],
  usesDataDir: 'write',
  async run({ words: [action, name, ...rest], argv, config }) {
    const json = argv.includes('--json');
    const store = new ModelStore(join(config.dataDir, 'models'));
    const needsName = action === 'pull' || action === 'remove' || action === 'use';
    if ((!needsName && action !== 'list') || needsName !== (name !== undefined) || rest.length > 0) {
      process.stderr.write(`cortex-embeddings ${USAGE}\n`);
      return 2;
    }
    try {
      if (name === undefined) await list(store, json);
      else if (action === 'pull') await pull(store, name, config, json);
      else if (action === 'remove') await remove(store, name, json);
      else await use(store, name, json);
      return 0;
    } catch (error) {
      if (!(error instanceof ModelProblem || error instanceof ToolError)) throw error;
      const { message } = error;
      const remedy = error instanceof ModelProblem ? error.remedy : undefined;
      if (json) print(JSON.stringify({ error: { message, ...(remedy && { remedy }) } }));
      else process.stderr.write(`cortex-embeddings: ${message}${remedy ? `. ${remedy}` : ''}\n`);
      return 1;
    }
  },
};

async function list(store: ModelStore, json: boolean): Promise<void> {
  const all = await listModels(store, store.active());
  if (json) return print(JSON.stringify({ models: all.map(listedModel) }));
  for (const model of all) print(lineFor(model));
}

async function pull(store: ModelStore, name: string, config: CommonConfig & OwnConfig, json: boolean): Promise<void> {
  const bar = progressLine(process.stderr);
  const hub = { url: config.hubUrl, token: config.hubToken };
  const model = await pullModel(store, name, { hub, onProgress: bar.show }).finally(() => bar.end());
  if (json)
    return print(JSON.stringify({ pulled: { name: model.name, identity: identityOf(model), source: model.source } }));
  print(`${model.name} is installed: ${identityOf(model)}`);
  if (model.kind === 'embedding')
    print(`Name it in calls (model: "${name}"), or make it the default: cortex-embeddings models use ${model.name}`);
}

async function remove(store: ModelStore, name: string, json: boolean): Promise<void> {
  await store.remove(name);
  print(json ? JSON.stringify({ removed: { name } }) : `${name} is removed`);
}

async function use(store: ModelStore, name: string, json: boolean): Promise<void> {
  await store.use(name);
  const active = store.active();
  print(json ? JSON.stringify({ active }) : `${active} is used from the next start on`);
}

function lineFor({
  name,
  sets,
  installed,
  active,
  languages,
  dimensions,
  licence,
  sizeBytes,
  source,
}: ListedModel): string {
  const mark = active ? '*' : installed ? '+' : ' ';
  const size = `${Math.round(sizeBytes / 1e6)} MB`;
  const about = [
    dimensions > 0 ? `${dimensions} dimensions` : 'reranker',
    languages.length > 3
      ? `${languages.length} languages`
      : languages[0] === '*'
        ? 'about 100 languages'
        : languages.join(' '),
    ...(sizeBytes > 0 ? [size] : []),
    licence,
    source,
  ];
  const title = sets.length > 0 ? `${name} (${sets.join(', ')})` : name;
  return `${mark} ${title.padEnd(36)} ${about.filter(Boolean).join(' · ')}`;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
