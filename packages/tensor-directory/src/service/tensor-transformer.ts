import { randomUUID } from 'node:crypto';
import { bytesOf, type Tensor } from '@atoll-mcp/formats/dtypes';
import type { Backends, TensorItem } from '../backends/interface.ts';
import { compactStamp, type Micros } from '../domain/dates.ts';
import { TransformFault } from '../domain/transform/numeric.ts';
import { othersOf, type Step } from '../domain/transform/steps.ts';
import { notFound, transformRefused } from '../errors.ts';
import { nameFrom } from './items.ts';
import type { TensorReader } from './tensor-reader.ts';
import type { Limits, Tensors } from './tensors.ts';

export interface TransformCall {
  readonly given: string;
  readonly steps: readonly Step[];
  readonly outputName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface TensorTransformerOptions {
  readonly backends: Backends;
  readonly tensors: Tensors;
  readonly reader: TensorReader;
  readonly limits: Limits;
  readonly clock: () => Micros;
}

/** Computes a new tensor from stored ones by a checked list of steps, and stores it with its lineage. */
export class TensorTransformer {
  readonly #options: TensorTransformerOptions;

  constructor(options: TensorTransformerOptions) {
    this.#options = options;
  }

  async transform({
    given,
    steps,
    outputName,
    signal,
  }: TransformCall): Promise<{ item: TensorItem; durationMs: number }> {
    const { backends, limits, tensors } = this.#options;
    const start = await this.#find(given);
    const inputs: Record<string, string> = { a: start.uuid };
    const items = new Map<string, TensorItem>();
    for (const [i, each] of steps.entries()) {
      for (const [key, name] of Object.entries(othersOf(each))) {
        const item = items.get(name) ?? (await this.#find(name));
        items.set(name, item);
        inputs[steps.length === 1 ? key : `steps[${i}].${key}`] = item.uuid;
      }
    }
    const total = [start, ...items.values()].reduce((sum, { values }) => sum + bytesOf(values.dtype, values.shape), 0);
    if (total > limits.maxTensorBytes)
      throw transformRefused(
        start.name,
        `its inputs take ${total} bytes; at most ${limits.maxTensorBytes} are allowed`,
      );
    const others: Record<string, Tensor> = Object.create(null);
    for (const [name, item] of items) others[name] = await this.#values(item);
    const began = performance.now();
    const task = { start: await this.#values(start), steps, others, maxBytes: limits.maxTensorBytes };
    const tensor = await backends.transformer.transform(task, signal).catch((error: unknown) => {
      throw error instanceof TransformFault ? transformRefused(start.name, error.message, error) : error;
    });
    const durationMs = Math.round((performance.now() - began) * 1000) / 1000;
    const did = steps.map((each) => (each.do === 'expression' ? each.expression : each.do)).join(', ');
    const [item] = await tensors.add([
      {
        ...this.#outputName(outputName, start.name),
        description: `Made from tensor '${start.name}' by ${did}`.slice(0, 1_000),
        tensor,
        lineage: { steps, inputs, durationMs },
      },
    ]);
    return { item: item!, durationMs };
  }

  async #find(given: string): Promise<TensorItem> {
    const item = await this.#options.tensors.find(given);
    if (!item) throw notFound('tensor', given);
    return item;
  }

  #values(item: TensorItem): Promise<Tensor> {
    const { reader } = this.#options;
    return reader.part(item, reader.picks(item, undefined));
  }

  #outputName(wanted: string | undefined, source: string): { name: string; nameIfTaken?: string } {
    const suffix = `${compactStamp(this.#options.clock())}_${randomUUID().slice(0, 8)}`;
    if (wanted === undefined) return { name: `${source}_transformed_${suffix}` };
    const name = nameFrom(wanted, 'output_name').trim();
    return { name, nameIfTaken: `${name}_${suffix}` };
  }
}
