import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, ToolError } from '@atoll-mcp/core';
import { E5File } from '../../domain/graphs/e5-file.ts';
import { buildE5Graph } from '../../domain/graphs/e5-graph.ts';
import { e5Small } from '../../domain/graphs/e5-small.ts';
import { buildSentencePiece } from '../../domain/graphs/sentencepiece-model.ts';
import { buildUseGraph } from '../../domain/graphs/use-graph.ts';
import { type InstalledModel, tokenizerFile } from '../../domain/models/installed-model.ts';
import { type CatalogModel, findCatalogModel, modelCatalog, modelSets } from '../../domain/models/model-catalog.ts';
import { readNpz } from '../../domain/npz.ts';
import { encoderBackend } from '../embedder-encoder.ts';
import { ModelProblem } from '../model-problem.ts';
import { crossEncoder } from '../reranker-cross-encoder.ts';
import { chooseSource } from './choose-source.ts';
import { describeFiles, describeFolder } from './describe-folder.ts';
import { checkFiles } from './fetch-files.ts';
import type { FetchOptions } from './fetch-model.ts';
import { hashFile } from './file-hash.ts';
import { HubClient, type HubOptions } from './hub-client.ts';
import type { ModelStore } from './model-store.ts';

export interface PullOptions extends Partial<FetchOptions> {
  readonly hub?: Partial<Omit<HubOptions, 'signal'>>;
}

/** Gets a model by its name, from the hub (`owner/name`, `owner/name@revision`) or from a folder, tries it and keeps it. */
export async function pullModel(store: ModelStore, name: string, options: PullOptions = {}): Promise<InstalledModel> {
  const { onProgress = () => {}, signal } = options;
  const hub = { url: 'https://huggingface.co', ...options.hub };
  const model = await describe(name, { ...hub, signal });
  const { source } = model;
  if (source.kind === 'built-in') {
    throw new ModelProblem(
      `"${model.name}" comes with the package`,
      'It needs no pull: run cortex-embeddings models use default',
    );
  }
  const draft = store.draftOf(model.name);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const from = await chooseSource(source, hub)(model, draft, { onProgress, signal });
  const folder = source.kind === 'folder' ? source.path : draft;
  const recorded = sameOrigin(store.find(model.name), from);
  await checkFiles(
    model.files.map((file) => ({ ...file, ...pinOf(file, recorded) })),
    folder,
  );
  const build = builders[model.format];
  if (build) {
    onProgress({ step: 'building the graph', doneBytes: 0, totalBytes: 0 });
    await build(draft);
  }

  const format = model.format === 'minilm' ? 'onnx' : model.format;
  const files: InstalledModel['files'] = {};
  for (const file of ['model.onnx', tokenizerFile({ format })]) {
    files[file] = (await hashFile(join(folder, file)))!;
  }
  const { sizeBytes: _, files: __, format: ___, ...facts } = model;
  const draftModel: InstalledModel = {
    ...facts,
    languages: [...model.languages],
    format,
    source: from,
    files,
  };
  onProgress({ step: 'trying the model', doneBytes: 0, totalBytes: 0 });
  const installed = { ...draftModel, dimensions: await tryModel(draftModel, folder).catch(asProblem(model.name)) };
  await store.install(installed);
  return installed;
}

/** What a name stands for. */
async function describe(name: string, hub: HubOptions): Promise<CatalogModel> {
  const known = findCatalogModel(name);
  if (known) return known;
  if (existsSync(name)) return describeFolder(name);
  const [, repository, revision = 'main'] =
    /^(?:hub:)?([a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@([\w./-]+))?$/i.exec(name) ?? [];
  if (repository) return describeRepository(repository, revision, new HubClient(hub));
  const names = [...Object.keys(modelSets), ...modelCatalog.map((model) => model.name)];
  throw new ModelProblem(
    `"${name}" is neither a known model nor a folder`,
    `Known are ${names.join(', ')}; a model of the hub is owner/name`,
  );
}

/** A repository of the hub, with the smaller of its graphs. */
async function describeRepository(repository: string, revision: string, hub: HubClient): Promise<CatalogModel> {
  const { commit, paths } = await hub.revision(repository, revision);
  const graph = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'].find((path) => paths.includes(path));
  if (!graph || !paths.includes('tokenizer.json')) {
    throw new ModelProblem(
      `${repository} holds no ${graph ? 'tokenizer.json' : 'ONNX graph'}`,
      'Choose a repository with onnx/model.onnx and tokenizer.json, such as those of Xenova',
    );
  }
  const name = repository.split('/')[1]!;
  const model = describeFiles(name, () => undefined, { kind: 'hub', repository, revision: commit });
  return {
    ...model,
    files: [
      { name: 'model.onnx', path: graph },
      { name: 'tokenizer.json', path: 'tokenizer.json' },
    ],
  };
}

/** What was recorded at the first pull still holds when the same thing is pulled again. */
function sameOrigin(before: InstalledModel | undefined, now: InstalledModel['source']): InstalledModel | undefined {
  if (!before || now.kind === 'folder') return undefined;
  return JSON.stringify(before.source) === JSON.stringify(now) ? before : undefined;
}

function pinOf({ name, sha256 }: { name: string; sha256?: string }, recorded: InstalledModel | undefined) {
  const pin = sha256 ?? recorded?.files[name]?.sha256;
  return pin === undefined ? {} : { sha256: pin };
}

/** Make the graph, and the tokenizer where it is part of the weights, of what was downloaded. */
const builders: Partial<Record<CatalogModel['format'], (draft: string) => Promise<void>>> = {
  async use(draft) {
    const weights = join(draft, 'weights.npz');
    await writeFile(join(draft, 'model.onnx'), buildUseGraph(readNpz(await readFile(weights))));
    await rm(weights);
  },
  async e5(draft) {
    const weights = join(draft, 'weights.bin');
    const file = new E5File(await readFile(weights));
    await writeFile(join(draft, 'model.onnx'), buildE5Graph(file));
    await writeFile(join(draft, 'sp.model'), buildSentencePiece(file.pieces, e5Small.unknownToken));
    await rm(weights);
  },
};

const asProblem = (name: string) => (error: unknown) => {
  if (error instanceof ModelProblem || error instanceof ToolError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new ModelProblem(`"${name}" was downloaded, but does not run here: ${reason}`, 'Choose another model', error);
};

/** A model that makes no vector here is not kept; returns the dimensions of one that does. */
async function tryModel(model: InstalledModel, folder: string): Promise<number> {
  const settings = { folder, model, runtime: 'auto', workers: 1, log: silentLogger } as const;
  if (model.kind === 'reranker') {
    const reranker = crossEncoder(settings);
    try {
      await reranker.score('a question', ['an answer']);
      return 0;
    } finally {
      await reranker.close();
    }
  }
  const backend = encoderBackend(settings);
  try {
    const [embedded] = await backend.embed(['hello world'], { normalize: true, signal: new AbortController().signal });
    const { length } = embedded!.vector;
    if (model.dimensions > 0 && length !== model.dimensions) {
      throw new ModelProblem(
        `"${model.name}" has ${length} dimensions instead of ${model.dimensions}`,
        'Check its files',
      );
    }
    return length;
  } finally {
    await backend.close();
  }
}
