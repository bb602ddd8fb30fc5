import { randomUUID } from 'node:crypto';
import type { Backends, ModelItem, RunRequest, StoredValues, TensorItem } from '../backends/interface.ts';
import { compactStamp, type Micros } from '../domain/dates.ts';
import { bytesOf } from '../domain/dtypes.ts';
import { parseNpy } from '../domain/npy.ts';
import { inputNotFound, invalidInputs, notFound, runFailed, weightsOnly } from '../errors.ts';
import { isUuid } from './items.ts';
import type { Models } from './models.ts';
import { labelOf } from './reading.ts';
import type { Limits, Tensors } from './tensors.ts';

/** The key under which the code finds its model's weights. */
const WEIGHTS = 'weights';

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
  readonly output: TensorItem;
  readonly durationMs: number;
}

export class Running {
  readonly #backends: Backends;
  readonly #tensors: Tensors;
  readonly #models: Models;
  readonly #clock: () => Micros;
  readonly #limits: Limits;

  constructor(parts: { backends: Backends; tensors: Tensors; models: Models; clock: () => Micros; limits: Limits }) {
    this.#backends = parts.backends;
    this.#tensors = parts.tensors;
    this.#models = parts.models;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
  }

  async run(call: RunCall): Promise<Run> {
    const model = await this.#models.find(call.model);
    if (!model) throw notFound('model', call.model);
    const { name, code, language } = model;
    if (code === undefined) throw weightsOnly(name);
    const inputs = await this.#inputs(call.inputs);
    if (model.weights && WEIGHTS in inputs)
      throw invalidInputs(`The key '${WEIGHTS}' is taken by the weights of model '${name}'; choose another.`);
    const { timeoutMs, signal } = call;
    const files: Record<string, RunRequest['inputs'][string]> = {};
    for (const [key, tensor] of Object.entries(inputs)) files[key] = await this.#file(tensor.values, labelOf(tensor));
    if (model.weights) files[WEIGHTS] = await this.#file(model.weights, `the weights of model '${name}'`);
    const { tensor, durationMs } = await this.#backends.runner.run({
      model: name,
      language,
      code,
      inputs: files,
      timeoutMs,
      signal,
    });
    if (bytesOf(tensor.dtype, tensor.shape) > this.#limits.maxTensorBytes) {
      throw runFailed(name, `the result is larger than the allowed ${this.#limits.maxTensorBytes} bytes`);
    }
    const rounded = Math.round(durationMs * 1000) / 1000;
    const uuids = Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, input.uuid]));
    const [output] = await this.#tensors.add([
      {
        ...this.#outputName(call.outputName, name),
        description: this.#description(name, Object.values(inputs)),
        tensor,
        lineage: { model_uuid: model.uuid, model_name: name, inputs: uuids, duration_ms: rounded },
      },
    ]);
    return { model, output: output!, durationMs: rounded };
  }

  async #inputs(given: RunCall['inputs']): Promise<Record<string, TensorItem>> {
    // No prototype: "__proto__" is a key like any other.
    const inputs: Record<string, TensorItem> = Object.create(null);
    const pairs = Array.isArray(given)
      ? (given as string[]).map((name) => [undefined, name] as const)
      : Object.entries(given as Record<string, string>);
    for (const [role, name] of pairs) {
      const found = await this.#tensors.find(name);
      if (!found) throw inputNotFound(name);
      const key = role ?? (isUuid(name) && !(found.name in inputs) ? found.name : name);
      inputs[key] = found;
    }
    return inputs;
  }

  async #file(values: StoredValues, label: string): Promise<RunRequest['inputs'][string]> {
    const npy = await this.#backends.values.path(values, label);
    if (npy !== undefined) return { npy };
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#backends.values.stream(values, label)) pieces.push(piece);
    return parseNpy(Buffer.concat(pieces));
  }

  #outputName(wanted: string | undefined, model: string): { name: string; nameIfTaken?: string } {
    const suffix = `${compactStamp(this.#clock())}_${randomUUID().slice(0, 8)}`;
    const name = wanted?.trim();
    return name ? { name, nameIfTaken: `${name}_${suffix}` } : { name: `inference_output_${model}_${suffix}` };
  }

  #description(model: string, inputs: readonly TensorItem[]): string {
    const names = inputs.map(({ name }) => name).join(', ');
    return `Output from model '${model}' using inputs: ${names} at ${compactStamp(this.#clock())}`;
  }
}
