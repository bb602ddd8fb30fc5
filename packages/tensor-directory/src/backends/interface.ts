import type { ComputedTensor, Dtype, Tensor, TensorSource } from '@atoll-mcp/formats/dtypes';
import type { DifferenceFigures } from '../domain/compare/difference.ts';
import type { Order } from '../domain/filter.ts';
import type { FoundTensors } from '../domain/formats/format.ts';
import type { Lineage } from '../domain/lineage.ts';
import type { OnnxFacts } from '../domain/onnx/onnx-model.ts';
import type { Step } from '../domain/transform/steps.ts';
import type { Window } from '../domain/values/read-plan.ts';
import type { Language, ModelLanguage } from '../schemas.ts';

/** Values at rest. The hash is that of the `.npy` file, so it depends on dtype, shape and values alone. */
export interface StoredValues {
  readonly key: string;
  readonly sha256: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
}

/** A file at rest that is not a tensor's. */
export interface StoredFile {
  readonly key: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface Item {
  readonly uuid: string;
  readonly name: string;
  readonly description: string;
  /** ISO 8601, UTC, microseconds. */
  readonly createdAt: string;
  readonly version: number;
}

export interface TensorItem extends Item {
  readonly values: StoredValues;
  readonly tags: readonly string[];
  readonly lineage?: Lineage;
}

/** An ONNX model: its file, and what was read from it when it was stored. */
export interface OnnxModel extends OnnxFacts {
  readonly file: StoredFile;
}

export interface ModelItem extends Item {
  readonly language: ModelLanguage;
  readonly code?: string;
  readonly weights?: StoredValues;
  readonly onnx?: OnnxModel;
}

export interface ItemFilter {
  readonly nameContains?: string;
  /** Default true. */
  readonly caseSensitive?: boolean;
  /** Every word occurs in name or description. */
  readonly text?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly dtypes?: readonly Dtype[];
  /** `null` stands for any size. */
  readonly shape?: readonly (number | null)[];
  readonly ndim?: number;
  readonly tag?: string;
  /** For what the record store cannot look for by itself. */
  readonly matches?: (item: TensorItem | ModelItem) => boolean;
  /** Default: by name. `largest` and `smallest` go by the number of values. */
  readonly order?: Order;
}

export interface Found<I> {
  readonly items: readonly I[];
  /** On all pages together. */
  readonly total: number;
}

export interface NewItem<I extends Item> {
  readonly item: Omit<I, 'version'>;
  /** Taken when the item's name is in use: output names must not become versions of something else. */
  readonly nameIfTaken?: string;
}

/** Items of one kind. A second item under a name is a new version; version numbers are never given twice. */
export interface ItemStore<I extends Item> {
  get(uuid: string): Promise<I | undefined>;
  /** The newest of the name, or the given version. */
  byName(name: string, version?: number): Promise<I | undefined>;
  /** All or none; durable when it resolves. `undefined`: another process has just released their values, so store them again. */
  add(items: readonly NewItem<I>[]): Promise<I[] | undefined>;
  /** A new name makes it the newest version there. `undefined`: it is gone. */
  change(uuid: string, change: (item: I) => I): Promise<I | undefined>;
  remove(uuid: string): Promise<I | undefined>;
  /** By name without regard to case, then by creation, then by uuid; or in the order of the filter. */
  list(filter: ItemFilter, page: { offset: number; limit: number }): Promise<Found<I>>;
  /** The oldest first. */
  versions(name: string): Promise<I[]>;
}

/** Files of values, each written once and shared by all items with the same content. */
export interface ValueFiles {
  put(source: Tensor | TensorSource): Promise<StoredValues>;
  /** A file of another kind, such as a model's. */
  putFile(pieces: readonly Uint8Array[], kind: 'onnx'): Promise<StoredFile>;
  /** Gathers parts of the values into one buffer. Throws `damaged` in the words of `label`, as the next two do. */
  gather(values: StoredValues, label: string, windows: Iterable<Window>, sizeBytes: number): Promise<Uint8Array>;
  /** All of the `.npy` file, piece by piece, seen to be what was stored. */
  stream(values: { readonly key: string }, label: string): AsyncIterable<Uint8Array>;
  /** A file on this machine with these bytes, seen to be what was stored. */
  path(values: { readonly key: string }, label: string): Promise<string | undefined>;
  /** Where the file is on this machine, not checked. */
  locate(values: { readonly key: string }, label: string): Promise<string | undefined>;
  /** Deletes the file unless another item still holds the same values. */
  release(values: { readonly key: string }): Promise<void>;
  /** Deletes files that no item holds, left by a crash; says how many. */
  sweep(): Promise<number>;
}

/** A tensor as a file on this machine, or in memory. */
export type TensorInput = { readonly npy: string } | ComputedTensor;

export interface RunRequest {
  readonly model: string;
  readonly language: Language;
  readonly code: string;
  readonly inputs: Readonly<Record<string, TensorInput>>;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs untrusted code. Throws `noSandbox` or `runFailed`. */
export interface CodeRunner {
  run(request: RunRequest): Promise<{ readonly tensor: Tensor; readonly durationMs: number }>;
  close(): Promise<void>;
}

export interface OnnxRequest {
  readonly model: string;
  readonly file: StoredFile;
  /** Where the model is on this machine, or its bytes. */
  readonly content: { readonly path: string } | { readonly bytes: Uint8Array };
  readonly inputs: Readonly<Record<string, TensorInput & Pick<Tensor, 'dtype' | 'shape'>>>;
  readonly outputs: readonly string[];
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs ONNX models in processes of their own. Throws `noSandbox` or `runFailed`. */
export interface OnnxRunner {
  run(request: OnnxRequest): Promise<{ readonly outputs: readonly Tensor[]; readonly durationMs: number }>;
  close(): Promise<void>;
}

export interface TransformTask {
  readonly start: Tensor;
  readonly steps: readonly Step[];
  /** The other tensors, by the names that the steps have for them. */
  readonly others: Readonly<Record<string, Tensor>>;
  readonly maxBytes: number;
}

/** Computes off the main thread. Throws `TransformFault`. */
export interface Transformer {
  transform(task: TransformTask, signal?: AbortSignal): Promise<Tensor>;
}

/** A file of values on this machine, not yet seen to be what was stored. */
export interface ValuesFile extends StoredValues {
  readonly path: string;
  /** What it is called when it is damaged. */
  readonly label: string;
}

export interface DifferenceTask {
  readonly a: ValuesFile;
  readonly b: ValuesFile;
  readonly tolerance: number;
}

/** Compares two files of the same shape off the main thread, and sees that both are intact. Throws `damaged`. */
export interface FileComparer {
  /** How many pairs are compared at the same time. */
  readonly atOnce: number;
  compare(task: DifferenceTask, signal?: AbortSignal): Promise<DifferenceFigures>;
}

/** Makes a plan of what the rules can't read; the caller validates it. Throws `promptNotRead`. */
export interface PromptPlanner {
  plan(prompt: string, task: string, signal?: AbortSignal): Promise<unknown>;
}

export interface FileLimit {
  readonly maxBytes: number;
  /** What to do with a larger file. */
  readonly instead?: string;
}

export interface LocatedFile {
  readonly fileName: string;
  /** With all links followed. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Reads files with libraries, away from the server. Throws `FormatError`. */
export interface FileParser {
  parse(
    file: { path: string; sizeBytes: number; extension: string; maxBytes: number },
    signal?: AbortSignal,
  ): Promise<FoundTensors>;
}

/** Files of the user's: read inside the import folders only, written into the export folder only. */
export interface UserFiles {
  /** Throws `importRefused`. */
  read(path: string, limit: FileLimit): Promise<{ readonly fileName: string; readonly bytes: Uint8Array }>;
  /** The same without reading it: where it is on this machine. */
  locate(path: string, limit: FileLimit): Promise<LocatedFile>;
  /** A file in the folder of another, or below it. Throws `importRefused` when it lies elsewhere, also by links. */
  readBeside(path: string, beside: string, limit: FileLimit): Promise<Uint8Array>;
  /** All of it or, when it fails or is aborted, nothing. */
  write(
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<{ readonly path: string; readonly sizeBytes: number; readonly sha256: string }>;
}

export interface Backends {
  readonly tensors: ItemStore<TensorItem>;
  readonly models: ItemStore<ModelItem>;
  readonly values: ValueFiles;
  readonly runner: CodeRunner;
  readonly onnx: OnnxRunner;
  readonly transformer: Transformer;
  readonly comparer: FileComparer;
  readonly planner?: PromptPlanner | undefined;
  readonly files: UserFiles;
  readonly parser: FileParser;
  close(): Promise<void>;
}
