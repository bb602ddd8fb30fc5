import { computedDtype, type Tensor } from '@atoll-mcp/formats/dtypes';
import type { Backends, ModelItem, OnnxModel, OnnxRequest, TensorInput } from '../backends/interface.ts';
import { customOperatorsText, expectedText, inputProblem } from '../domain/onnx/expected-inputs.ts';
import { isRunnableType } from '../domain/onnx/onnx-types.ts';
import { invalidInputs, runFailed } from '../errors.ts';
import type { InputPart } from './model-runner.ts';
import type { TensorReader } from './tensor-reader.ts';

export interface NamedOutput {
  /** Absent if the model has a single output. */
  readonly key?: string;
  readonly tensor: Tensor;
}

/** Validates inputs against an ONNX model and runs it. */
export class OnnxPredictor {
  readonly #backends: Backends;
  readonly #reader: TensorReader;
  readonly #load: (part: InputPart) => Promise<TensorInput>;

  constructor(backends: Backends, reader: TensorReader, load: (part: InputPart) => Promise<TensorInput>) {
    this.#backends = backends;
    this.#reader = reader;
    this.#load = load;
  }

  async predict(
    { name, onnx }: ModelItem & { readonly onnx: OnnxModel },
    parts: Readonly<Record<string, InputPart>>,
    limits: Pick<OnnxRequest, 'timeoutMs' | 'signal'>,
  ): Promise<{ outputs: NamedOutput[]; durationMs: number }> {
    if (onnx.customOperators.length > 0) throw runFailed(name, customOperatorsText(onnx.customOperators));
    const wanted = onnx.outputs.filter(({ type }) => isRunnableType(type)).map((output) => output.name);
    if (wanted.length === 0)
      throw runFailed(
        name,
        `none of its outputs is a tensor of numbers: ${onnx.outputs.map(({ type }) => type).join(', ')}`,
      );
    const given = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, this.#describe(part)]));
    const problem = inputProblem(onnx, given);
    if (problem) throw invalidInputs(expectation(name, problem, onnx));
    const inputs: Record<string, OnnxRequest['inputs'][string]> = Object.create(null);
    for (const [key, part] of Object.entries(parts)) {
      const { dtype, shape } = given[key]!;
      inputs[key] = { ...(await this.#load(part)), dtype, shape };
    }
    const { outputs, durationMs } = await this.#backends.onnx.run({
      model: name,
      file: onnx.file,
      content: await this.#content(name, onnx),
      inputs,
      outputs: wanted,
      ...limits,
    });
    const isOnly = outputs.length === 1;
    return { outputs: outputs.map((tensor, i) => ({ tensor, ...(!isOnly && { key: wanted[i]! }) })), durationMs };
  }

  #describe({ item, slice }: InputPart) {
    const { dtype, shape } = item.values;
    const sliced = slice === undefined ? shape : this.#reader.shapeOf(item, slice);
    return { tensor: item.name, dtype: computedDtype(dtype), shape: sliced };
  }

  async #content(name: string, { file }: OnnxModel): Promise<OnnxRequest['content']> {
    const label = `model '${name}'`;
    const path = await this.#backends.values.path(file, label);
    if (path !== undefined) return { path };
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#backends.values.stream(file, label)) pieces.push(piece);
    return { bytes: Buffer.concat(pieces) };
  }
}

function expectation(name: string, problem: string, onnx: OnnxModel): string {
  const cast = problem.includes(' must be ') ? ' transform_tensor casts, slices and reshapes.' : '';
  return `Model '${name}' was not run: ${problem}. It expects ${expectedText(onnx)}.${cast}`;
}
