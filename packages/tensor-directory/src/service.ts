import type { ComputedDtype } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { Backends, ItemFilter, ModelItem, TensorItem } from './backends/interface.ts';
import { fineClock, type Micros, steadyClock } from './domain/dates.ts';
import { type ModelGraph, readGraph } from './domain/onnx/read-graph.ts';
import { damaged, notFound } from './errors.ts';
import { CheckpointComparer } from './service/checkpoint-comparer.ts';
import { Exchange, type ExportFormat } from './service/exchange.ts';
import { findOrRefuse } from './service/items.ts';
import { inferenceText } from './service/model-keys.ts';
import { ModelRunner, type RunCall } from './service/model-runner.ts';
import { type ModelImport, Models, type ModelUpload } from './service/models.ts';
import type { QueryParams } from './service/plan-context.ts';
import { PromptAnswerer } from './service/prompt-answerer.ts';
import { similarRows } from './service/similar-rows.ts';
import { TensorChecker } from './service/tensor-checker.ts';
import { TensorComparer } from './service/tensor-comparer.ts';
import { type PlotKind, TensorPlotter } from './service/tensor-plotter.ts';
import { labelOf, TensorReader } from './service/tensor-reader.ts';
import { TensorTransformer, type TransformCall } from './service/tensor-transformer.ts';
import { type Limits, Tensors } from './service/tensors.ts';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface ServiceOptions extends Limits {
  readonly clock?: () => Micros;
}

/** Everything the directory does. Each area is in `service/`; this is the entry point. */
export class TensorDirectoryService {
  readonly #backends: Backends;
  readonly #tensors: Tensors;
  readonly #models: Models;
  readonly #reader: TensorReader;
  readonly #plotter: TensorPlotter;
  readonly #runner: ModelRunner;
  readonly #exchange: Exchange;
  readonly #answerer: PromptAnswerer;
  readonly #comparer: TensorComparer;
  readonly #checkpoints: CheckpointComparer;
  readonly #checker: TensorChecker;
  readonly #transformer: TensorTransformer;

  constructor(backends: Backends, options: ServiceOptions) {
    const clock = options.clock ?? steadyClock(fineClock());
    this.#backends = backends;
    this.#tensors = new Tensors(backends, clock, options);
    this.#models = new Models(backends, clock, options);
    this.#reader = new TensorReader(backends);
    this.#plotter = new TensorPlotter(this.#reader);
    this.#comparer = new TensorComparer(backends, this.#reader);
    this.#checkpoints = new CheckpointComparer(this.#tensors, this.#comparer);
    this.#checker = new TensorChecker(this.#tensors, this.#reader);
    const parts = {
      backends,
      clock,
      limits: options,
      tensors: this.#tensors,
      models: this.#models,
      reader: this.#reader,
    };
    this.#runner = new ModelRunner(parts);
    this.#transformer = new TensorTransformer(parts);
    this.#exchange = new Exchange(parts);
    this.#answerer = new PromptAnswerer({ ...parts, runner: this.#runner });
  }

  async uploadTensor(upload: {
    name: string;
    description: string;
    data: unknown;
    dtype?: ComputedDtype | undefined;
    tags?: readonly string[] | undefined;
  }) {
    const { uuid, name } = await this.#tensors.upload(upload);
    return { uuid, name };
  }

  async uploadModel(upload: ModelUpload) {
    const { model, warning } = await this.#models.upload(upload);
    return { uuid: model.uuid, name: model.name, ...(warning && { warning }) };
  }

  async importModel(source: ModelImport) {
    const { model, warning } = await this.#models.import(source);
    return { uuid: model.uuid, name: model.name, ...(warning && { warning }) };
  }

  answer(prompt: string, params: QueryParams, signal?: AbortSignal): Promise<string> {
    return this.#answerer.answer(prompt, params, signal);
  }

  listTensors(filter: ItemFilter, page: Page) {
    return this.#tensors.list(filter, page);
  }

  listModels(filter: ItemFilter, page: Page) {
    return this.#models.list(filter, page);
  }

  async deleteTensor(given: string) {
    const { name, uuid } = await this.#tensors.remove(given);
    return { message: `Tensor '${name}' (UUID: ${uuid}) deleted successfully.` };
  }

  async deleteModel(given: string) {
    const { name, uuid } = await this.#models.remove(given);
    return { message: `Model '${name}' (UUID: ${uuid}) deleted successfully.` };
  }

  updateTensor(given: string, updates: Readonly<Record<string, unknown>>) {
    return this.#tensors.update(given, updates);
  }

  updateModel(given: string, updates: Readonly<Record<string, unknown>>) {
    return this.#models.update(given, updates);
  }

  async getTensor(given: string, slice: string | undefined, maxValues: number) {
    const item = await this.#tensor(given);
    return { item, ...(await this.#reader.values(item, slice, maxValues)) };
  }

  async describeTensor(given: string, bins: number) {
    const item = await this.#tensor(given);
    return { item, ...(await this.#reader.describe(item, bins)) };
  }

  async plotTensor(given: string, kind: PlotKind, slice: string | undefined) {
    return this.#plotter.plot(await this.#tensor(given), kind, slice);
  }

  async listVersions(given: string, kind: 'tensor' | 'model') {
    const versions = await (kind === 'tensor' ? this.#tensors : this.#models).versions(given);
    const current = versions.at(-1)!;
    return {
      name: current.name,
      versions: versions.map(({ version, uuid, createdAt, description }) => ({
        version,
        uuid,
        current: uuid === current.uuid,
        created: createdAt,
        description,
      })),
    };
  }

  async getModel(given: string, { includeCode, includeGraph }: { includeCode: boolean; includeGraph: boolean }) {
    const model = await findOrRefuse(this.#backends.models, 'model', given);
    const graph = includeGraph && model.onnx && (await this.#graphOf(model.name, model.onnx.file));
    return { model, code: includeCode ? model.code : undefined, ...(graph && { graph }) };
  }

  async #graphOf(name: string, file: { readonly key: string }): Promise<ModelGraph> {
    try {
      return await readGraph(this.#backends.values.stream(file, name));
    } catch (error) {
      throw error instanceof FormatError ? damaged(name, error) : error;
    }
  }

  async runModel(call: RunCall) {
    const { model, outputs, durationMs } = await this.#runner.run(call);
    const stored = outputs.map(({ uuid, name, values, lineage }) => ({
      uuid,
      name,
      shape: [...values.shape],
      dtype: values.dtype,
      ...(lineage?.output !== undefined && { output: lineage.output }),
    }));
    const { uuid, name, shape, dtype } = stored[0]!;
    const message = inferenceText(model.name, outputs);
    return { uuid, name, shape, dtype, ...(stored.length > 1 && { outputs: stored }), durationMs, message };
  }

  async importTensors(
    source: { path: string; name?: string | undefined; description?: string | undefined },
    signal?: AbortSignal,
  ) {
    const { items, skipped, complex } = await this.#exchange.import(source, signal);
    return {
      tensors: items.map(({ uuid, name, values }) => ({ uuid, name, shape: [...values.shape], dtype: values.dtype })),
      ...(complex.length > 0 && { complex: [...complex] }),
      ...(skipped.length > 0 && { skipped: [...skipped] }),
    };
  }

  async exportTensor(given: string, format: ExportFormat, signal?: AbortSignal) {
    const item = await this.#tensor(given);
    return { uuid: item.uuid, ...(await this.#exchange.export(item, format, signal)) };
  }

  async compareTensors(a: string, b: string, tolerance: number, signal?: AbortSignal) {
    return this.#comparer.compare(await this.#tensor(a), await this.#tensor(b), tolerance, signal);
  }

  compareCheckpoints(given: { a: string; b: string; pattern?: string | undefined }, signal?: AbortSignal) {
    return this.#checkpoints.compare(given, signal);
  }

  checkTensors(pattern: string | undefined, signal?: AbortSignal) {
    return this.#checker.check(pattern, signal);
  }

  async searchSimilar(given: string, options: { row: number; limit: number; signal?: AbortSignal | undefined }) {
    return similarRows(this.#reader, await this.#tensor(given), options);
  }

  async transformTensor(call: TransformCall) {
    const { item, durationMs } = await this.#transformer.transform(call);
    const { uuid, name, values } = item;
    const message = `Tensor '${call.given}' was transformed. Output tensor saved as '${name}' (UUID: ${uuid}).`;
    return { uuid, name, shape: [...values.shape], dtype: values.dtype, durationMs, message };
  }

  /** Metadata of a tensor or model, without values and code, for resources. */
  async tensorResource(given: string) {
    const item = await this.#tensors.find(given);
    return item && { item, sha256: item.values.sha256 };
  }

  async modelResource(given: string) {
    return (await this.#models.find(given)) && (await this.getModel(given, { includeCode: true, includeGraph: false }));
  }

  /** The `.npy` file, if the tensor exists and the file has at most `maxBytes`. */
  async tensorFile(given: string, maxBytes: number): Promise<Buffer | undefined> {
    const item = await this.#tensors.find(given);
    if (!item) return undefined;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of this.#backends.values.stream(item.values, labelOf(item))) {
      size += piece.byteLength;
      if (size > maxBytes) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async itemsFor(kind: 'tensor' | 'model', page: Page): Promise<readonly (TensorItem | ModelItem)[]> {
    return (await (kind === 'tensor' ? this.#tensors : this.#models).list({}, page)).items;
  }

  /** Names that begin with what was typed, then those that contain it. */
  async complete(kind: 'tensor' | 'model', typed: string): Promise<string[]> {
    const store = kind === 'tensor' ? this.#tensors : this.#models;
    const { items } = await store.list({ nameContains: typed, caseSensitive: false }, { offset: 0, limit: 500 });
    const names = [...new Set(items.map(({ name }) => name))];
    const starts = (name: string) => name.toLowerCase().startsWith(typed.toLowerCase());
    return [...names.filter(starts), ...names.filter((name) => !starts(name))];
  }

  /** Deletes files that a crash left behind; returns how many. */
  sweep(): Promise<number> {
    return this.#backends.values.sweep();
  }

  close(): Promise<void> {
    return this.#backends.close();
  }

  async #tensor(given: string): Promise<TensorItem> {
    const item = await this.#tensors.find(given);
    if (!item) throw notFound('tensor', given);
    return item;
  }
}
