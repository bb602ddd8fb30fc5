import { randomUUID } from 'node:crypto';
import { bytesOf, isComputed } from '@atoll-mcp/formats/dtypes';
import { parseNpy } from '@atoll-mcp/formats/npy';
import type { Backends, ModelItem, StoredValues, TensorInput, TensorItem } from '../backends/interface.ts';
import { compactStamp, type Micros } from '../domain/dates.ts';
import type { Lineage } from '../domain/lineage.ts';
import { bindInputs, WEIGHTS_KEY } from '../domain/models/bind-inputs.ts';
import { computable } from '../domain/values/elements.ts';
import { inputNotFound, invalidInputs, notFound, runFailed, weightsOnly } from '../errors.ts';
import type { Language } from '../schemas.ts';
import { isUuid } from './items.ts';
import { isRunnable, keysOf } from './model-keys.ts';
import type { Models } from './models.ts';
import { type NamedOutput, OnnxPredictor } from './onnx-predictor.ts';
import { labelOf, type TensorReader } from './tensor-reader.ts';
import type { Limits, Tensors } from './tensors.ts';

export interface RunCall {
  readonly model: string;
  /** Tensors by role, or a list of tensors that keep their names. */
  readonly inputs: Readonly<Record<string, string>> | readonly string[];
  readonly outputName?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Run {
  readonly model: ModelItem;
  /** The first of the outputs. */
  readonly output: TensorItem;
  readonly outputs: readonly TensorItem[];
  readonly durationMs: number;
}

interface ModelRunnerOptions {
  readonly backends: Backends;
  readonly tensors: Tensors;
  readonly models: Models;
  readonly reader: TensorReader;
  readonly clock: () => Micros;
  readonly limits: Limits;
}

/** An input: a tensor or a slice of it. */
export interface InputPart {
  readonly item: TensorItem;
  readonly slice?: string | undefined;
}

/** Runs models on stored tensors and stores what they return. */
export class ModelRunner {
  readonly #options: ModelRunnerOptions;
  readonly #onnx: OnnxPredictor;

  constructor(options: ModelRunnerOptions) {
    this.#options = options;
    this.#onnx = new OnnxPredictor(options.backends, options.reader, (part) => this.#input(part));
  }

  async run({ model: given, inputs, ...rest }: RunCall): Promise<Run> {
    const model = await this.#options.models.find(given);
    if (!model) throw notFound('model', given);
    if (!isRunnable(model)) throw weightsOnly(model.name);
    return this.runItem(model, await this.#inputs(model, inputs), rest);
  }

  async runItem(
    model: ModelItem,
    inputs: Readonly<Record<string, InputPart>>,
    { outputName, timeoutMs, signal }: Omit<RunCall, 'model' | 'inputs'>,
  ): Promise<Run> {
    const { name, onnx } = model;
    const { limits, tensors } = this.#options;
    const run = onnx
      ? await this.#onnx.predict({ ...model, onnx }, inputs, { timeoutMs, signal })
      : await this.#predict(model, inputs, { timeoutMs, signal });
    const durationMs = Math.round(run.durationMs * 1000) / 1000;
    const description = this.#description(name, Object.values(inputs));
    const names = this.#outputName(outputName, name);
    const news = run.outputs.map(({ key, tensor }) => {
      if (bytesOf(tensor.dtype, tensor.shape) > limits.maxTensorBytes)
        throw runFailed(name, `the result is larger than the allowed ${limits.maxTensorBytes} bytes`);
      const lineage = { modelUuid: model.uuid, modelName: name, ...(key && { output: key }), ...lineageOf(inputs) };
      return { ...withKey(names, key), description, tensor, lineage: { ...lineage, durationMs } };
    });
    const outputs = await tensors.add(news);
    return { model, output: outputs[0]!, outputs, durationMs };
  }

  async #predict(
    { name, code, language, weights }: ModelItem,
    inputs: Readonly<Record<string, InputPart>>,
    limits: Pick<RunCall, 'timeoutMs' | 'signal'>,
  ): Promise<{ outputs: NamedOutput[]; durationMs: number }> {
    if (code === undefined) throw weightsOnly(name);
    if (weights && WEIGHTS_KEY in inputs)
      throw invalidInputs(`The key '${WEIGHTS_KEY}' is taken by the weights of model '${name}'; choose another.`);
    const files: Record<string, TensorInput> = Object.create(null);
    for (const [key, part] of Object.entries(inputs)) files[key] = await this.#input(part);
    if (weights) files[WEIGHTS_KEY] = await this.#file(weights, `the weights of model '${name}'`);
    const { tensor, durationMs } = await this.#options.backends.runner.run({
      model: name,
      // A model with code has the language of that code.
      language: language as Language,
      code,
      inputs: files,
      ...limits,
    });
    return { outputs: [{ tensor }], durationMs };
  }

  /** Binds a list to the keys that the code reads; if those are unknown, tensors keep their names. */
  async #inputs(model: ModelItem, given: RunCall['inputs']): Promise<Record<string, InputPart>> {
    const pairs = Array.isArray(given)
      ? (given as string[]).map((name) => [undefined, name] as const)
      : Object.entries(given as Record<string, string>);
    const found: { name: string; key: string | undefined; item: TensorItem }[] = [];
    for (const [key, name] of pairs) {
      const item = (await this.#options.tensors.find(name)) ?? (await this.#weightsOf(name));
      if (!item) throw inputNotFound(name);
      const isNamed = isUuid(name) && !found.some((other) => other.name === item.name);
      found.push({ name: isNamed ? item.name : name, key, item });
    }
    const isList = found.every(({ key }) => key === undefined);
    const bound = isList ? bindInputs(keysOf(model), found, model.weights !== undefined) : undefined;
    // No prototype, so that "__proto__" is an ordinary key.
    const inputs: Record<string, InputPart> = Object.create(null);
    if (bound?.problem === undefined && bound?.runs.length === 1) {
      for (const [key, { item }] of Object.entries(bound.runs[0]!.bound)) inputs[key] = { item };
    } else for (const { name, key, item } of found) inputs[key ?? name] = { item };
    return inputs;
  }

  /** A model without code can be an input like a tensor. */
  async #weightsOf(name: string): Promise<TensorItem | undefined> {
    const model = await this.#options.models.find(name);
    if (!model?.weights || model.code !== undefined) return undefined;
    const { uuid, name: own, description, createdAt, version, weights: values } = model;
    return { uuid, name: own, description, createdAt, version, values, tags: [] };
  }

  async #input({ item, slice }: InputPart): Promise<TensorInput> {
    if (slice === undefined && isComputed(item.values.dtype)) return this.#file(item.values, labelOf(item));
    const { reader } = this.#options;
    return computable(await reader.part(item, reader.picks(item, slice)));
  }

  async #file(values: StoredValues, label: string): Promise<TensorInput> {
    const npy = await this.#options.backends.values.path(values, label);
    if (npy !== undefined) return { npy };
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#options.backends.values.stream(values, label)) pieces.push(piece);
    return computable(parseNpy(Buffer.concat(pieces)));
  }

  #outputName(wanted: string | undefined, model: string): OutputName {
    const suffix = `${compactStamp(this.#options.clock())}_${randomUUID().slice(0, 8)}`;
    const name = wanted?.trim();
    return name ? { name, nameIfTaken: `${name}_${suffix}` } : { name: `inference_output_${model}_${suffix}` };
  }

  #description(model: string, inputs: readonly InputPart[]): string {
    const names = inputs.map(({ item, slice }) => `${item.name}${slice === undefined ? '' : `[${slice}]`}`).join(', ');
    return `Output from model '${model}' using inputs: ${names} at ${compactStamp(this.#options.clock())}`;
  }
}

interface OutputName {
  readonly name: string;
  readonly nameIfTaken?: string;
}

/** Several outputs of one run have its name and their own. */
function withKey({ name, nameIfTaken }: OutputName, key: string | undefined): OutputName {
  if (key === undefined) return { name, ...(nameIfTaken && { nameIfTaken }) };
  return { name: `${name}.${key}`, ...(nameIfTaken && { nameIfTaken: `${nameIfTaken}.${key}` }) };
}

function lineageOf(inputs: Readonly<Record<string, InputPart>>): Pick<Lineage, 'inputs' | 'slices'> {
  const parts = Object.entries(inputs);
  const sliced = parts.flatMap(([key, { slice }]) => (slice === undefined ? [] : [[key, slice] as const]));
  return {
    inputs: Object.fromEntries(parts.map(([key, { item }]) => [key, item.uuid])),
    ...(sliced.length > 0 && { slices: Object.fromEntries(sliced) }),
  };
}
