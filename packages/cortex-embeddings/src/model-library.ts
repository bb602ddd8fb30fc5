import type { Logger } from '@atoll-mcp/core';
import type { Embedder, ModelLibrary, Reranker } from './backends/interface.ts';
import { ModelStore } from './backends/models/model-store.ts';
import { crossEncoder } from './backends/reranker-cross-encoder.ts';
import { type RerankEndpointSettings, rerankEndpoint } from './backends/reranker-endpoint.ts';
import { minilmIdentity } from './domain/graphs/minilm.ts';
import { type InstalledModel, identityOf } from './domain/models/installed-model.ts';
import type { ListedModel } from './domain/models/listed-model.ts';
import {
  type CatalogModel,
  DEFAULT_MODEL,
  findCatalogModel,
  modelCatalog,
  modelSets,
  resolveModelName,
} from './domain/models/model-catalog.ts';
import { createEmbedder } from './embedder.ts';

export interface LibrarySettings {
  readonly modelDir: string;
  readonly runtime: 'auto' | 'onnx' | 'wasm';
  readonly precision: 'int8' | 'fp32';
  readonly workers: number;
  readonly rerank?: RerankEndpointSettings | undefined;
  /** What is used when a call names no model; it is not opened twice. */
  readonly active: Embedder;
  readonly log: Logger;
}

/** The models of a folder and the one in use, each opened when it is first named. */
export function createModelLibrary(settings: LibrarySettings): ModelLibrary {
  const { modelDir, runtime, precision, workers, rerank, active, log } = settings;
  const store = new ModelStore(modelDir);
  const embedders = new Map<string, Embedder>();
  const rerankers = new Map<string, Reranker>();

  function openReranker(model: InstalledModel): Reranker {
    const opened = rerankers.get(model.name);
    if (opened) return opened;
    const reranker = crossEncoder({ model, folder: store.folderOf(model), runtime, workers, log });
    rerankers.set(model.name, reranker);
    return reranker;
  }

  return {
    list: () => listModels(store, active.model.name, precision),
    embedder(name) {
      const ownName = resolveModelName(name);
      if (ownName === active.model.name) return active;
      const opened = embedders.get(ownName);
      if (opened) return opened;
      if (ownName !== DEFAULT_MODEL && store.find(ownName)?.kind !== 'embedding') return undefined;
      const embedder = createEmbedder({ backend: runtime, precision, workers, modelDir, model: ownName, log });
      embedders.set(ownName, embedder);
      return embedder;
    },
    async reranker(name) {
      if (name !== undefined) {
        const installed = store.find(name);
        return installed?.kind === 'reranker' ? openReranker(installed) : undefined;
      }
      if (rerank) return rerankEndpoint(rerank);
      const first = (await store.list()).find(({ kind }) => kind === 'reranker');
      return first && openReranker(first);
    },
    async close() {
      await Promise.all([...embedders.values(), ...rerankers.values()].map((each) => each.close()));
    },
  };
}

/** What is installed and what could be. */
export async function listModels(
  store: ModelStore,
  active: string,
  precision: 'int8' | 'fp32' = 'int8',
): Promise<ListedModel[]> {
  const installed = await store.list();
  const own = installed.filter(({ name }) => !findCatalogModel(name));
  const known = modelCatalog.map((model) => {
    const there = installed.find(({ name }) => name === model.name);
    if (there) return listed(there, active);
    return {
      ...fieldsOf(model, active),
      installed: model.format === 'minilm',
      ...(model.format === 'minilm' && { identity: minilmIdentity(precision) }),
    };
  });
  return [...known, ...own.map((model) => listed(model, active))];
}

function listed(model: InstalledModel, active: string): ListedModel {
  const sizeBytes = Object.values(model.files).reduce((sum, { bytes }) => sum + bytes, 0);
  return { ...fieldsOf({ ...model, sizeBytes }, active), installed: true, identity: identityOf(model) };
}

type Described = Omit<CatalogModel, 'format' | 'files'>;

function fieldsOf(model: Described, active: string): Omit<ListedModel, 'installed'> {
  const { name, kind, languages, dimensions, maxTokens, pooling, prompts, licence, sizeBytes, source } = model;
  const sets = Object.keys(modelSets).filter((set) => modelSets[set] === name);
  return {
    ...{ name, sets, kind, active: name === active, languages, dimensions, maxTokens, pooling, prompts, licence },
    sizeBytes,
    source: sourceText(source),
  };
}

function sourceText(source: CatalogModel['source']): string {
  switch (source.kind) {
    case 'built-in':
      return `built in (${source.package})`;
    case 'hub':
      return `hub ${source.repository}@${source.revision}`;
    case 'folder':
      return `folder ${source.path}`;
    default:
      return `${source.kind} ${source.package} ${source.version}`;
  }
}
