import type { Backends, ItemFilter, ModelItem, TensorItem } from '../backends/interface.ts';
import { parseDate } from '../domain/dates.ts';
import { shapeText } from '../domain/dtypes.ts';
import type { Criteria, Intent } from '../domain/intent.ts';
import { pythonRepr } from '../domain/python-repr.ts';
import { readPrompt } from '../domain/read-prompt.ts';
import { invalidInputs, promptNotRead, weightsOnly } from '../errors.ts';
import type { Models } from './models.ts';
import { modelRowOf, tensorRowOf } from './rows.ts';
import type { Running } from './running.ts';
import type { Tensors } from './tensors.ts';

/** What a caller may add to a prompt in a form that needs no reading. */
export interface QueryParams {
  readonly inputs?: Readonly<Record<string, string>> | readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly outputName?: string | undefined;
}

const EXAMPLES = 3;

/** Answers prompts in the sentences of the seed. What begins with "Error" is thrown. */
export class Answering {
  readonly #backends: Backends;
  readonly #tensors: Tensors;
  readonly #models: Models;
  readonly #running: Running;

  constructor(parts: { backends: Backends; tensors: Tensors; models: Models; running: Running }) {
    this.#backends = parts.backends;
    this.#tensors = parts.tensors;
    this.#models = parts.models;
    this.#running = parts.running;
  }

  async answer(prompt: string, params: QueryParams, signal?: AbortSignal): Promise<string> {
    const read = readPrompt(prompt);
    const answer = await this.#carryOut(read, params, signal);
    if (answer !== undefined) return answer;
    const { reader } = this.#backends;
    const reread = reader && (await this.#carryOut(await reader.read(prompt, signal), params, signal));
    return (
      reread ??
      `The intent of your request is unclear or not supported. Please try rephrasing. User prompt: '${prompt}'`
    );
  }

  /** `undefined` where the intent is unclear, or a guess that nothing bears out. */
  async #carryOut(intent: Intent, params: QueryParams, signal: AbortSignal | undefined): Promise<string | undefined> {
    switch (intent.kind) {
      case 'get_tensor':
        return this.#tensor(intent);
      case 'get_model': {
        const model = await this.#models.find(intent.name);
        if (model) return modelSentence(intent.name, model);
        return intent.guess ? undefined : `Model '${intent.name}' not found.`;
      }
      case 'find_tensors':
        return this.#foundTensors(intent.criteria, params.limit ?? EXAMPLES);
      case 'find_models':
        return this.#foundModels(intent.criteria, params.limit ?? EXAMPLES);
      case 'count':
        return this.#count(intent.what, intent.criteria);
      case 'run_model':
        return this.#run(intent, params, signal);
      case 'unclear':
        return undefined;
    }
  }

  async #tensor({ name, guess, anyKind }: Extract<Intent, { kind: 'get_tensor' }>): Promise<string | undefined> {
    const tensor = await this.#tensors.find(name);
    if (tensor) return tensorSentence(name, tensor);
    const model = anyKind ? await this.#models.find(name) : undefined;
    if (model) return modelSentence(name, model);
    return guess ? undefined : `Tensor '${name}' not found.`;
  }

  async #foundTensors(criteria: Criteria, limit: number): Promise<string> {
    const { items, total } = await this.#tensors.list(filterOf(criteria), { offset: 0, limit });
    if (total === 0) return 'No tensors found matching your criteria.';
    const examples = items.map(
      ({ name, values }) => `Name='${name}', Shape='${shapeText(values.shape)}', Dtype='${values.dtype}'`,
    );
    return `Found ${total} tensor(s) matching criteria. Examples: [${listed(examples, total)}]`;
  }

  async #foundModels(criteria: Criteria, limit: number): Promise<string> {
    const { items, total } = await this.#models.list(filterOf(criteria), { offset: 0, limit });
    if (total === 0) return 'No models found matching your criteria.';
    const examples = items.map((model) => `Name='${model.name}', ${contentOf(model)}`);
    return `Found ${total} model(s) matching criteria. Examples: [${listed(examples, total)}]`;
  }

  async #count(what: 'tensors' | 'models', criteria: Criteria): Promise<string> {
    const shelf = what === 'tensors' ? this.#tensors : this.#models;
    const { total } = await shelf.list(filterOf(criteria), { offset: 0, limit: 1 });
    const narrowed = Object.keys(criteria).length > 0 ? ' matching your criteria' : '';
    return total === 1 ? `There is 1 ${what.slice(0, -1)}${narrowed}.` : `There are ${total} ${what}${narrowed}.`;
  }

  async #run(
    intent: Extract<Intent, { kind: 'run_model' }>,
    params: QueryParams,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const model = await this.#models.find(intent.model);
    if (!model) return intent.guess ? undefined : `Model '${intent.model}' not found.`;
    const inputs = params.inputs ?? inputsOf(intent.inputs);
    // Not an error in the seed's words, so it is said and not thrown.
    if (model.code === undefined) return weightsOnly(intent.model).message;
    if (Object.keys(inputs).length === 0)
      throw invalidInputs(`No input tensor is named for inference with model '${intent.model}'.`);
    const { output } = await this.#running.run({
      model: model.uuid,
      inputs,
      outputName: params.outputName ?? intent.outputName,
      signal,
    });
    return `Inference successful with model '${model.name}'. Output tensor saved as '${output.name}' (UUID: ${output.uuid}).`;
  }
}

function tensorSentence(given: string, tensor: TensorItem): string {
  const { user_name, uuid, ...rest } = tensorRowOf(tensor);
  const { shape, dtype } = tensor.values;
  return `Tensor '${given}' found. Metadata: ${pythonRepr({ user_name, ...rest, uuid })}. Shape: ${shapeText(shape)}, Dtype: ${dtype}.`;
}

function modelSentence(given: string, model: ModelItem): string {
  const { user_name, uuid, ...rest } = modelRowOf(model);
  return `Model '${given}' found. Metadata: ${pythonRepr({ user_name, ...rest, uuid })}. It has ${contentOf(model)}.`;
}

function contentOf({ code, weights, language }: ModelItem): string {
  const parts = [
    ...(code === undefined ? [] : [`${language === 'python' ? 'Python' : 'JavaScript'} code`]),
    ...(weights ? [`weights of shape ${shapeText(weights.shape)}`] : []),
  ];
  return parts.join(' and ');
}

/** With roles a map, as the prompt gave them; without any, a list of names. */
function inputsOf(inputs: readonly { tensor: string; role?: string | undefined }[]): Record<string, string> | string[] {
  if (inputs.every(({ role }) => role === undefined)) return inputs.map(({ tensor }) => tensor);
  return Object.fromEntries(inputs.map(({ tensor, role }) => [role ?? tensor, tensor]));
}

function filterOf(criteria: Criteria): ItemFilter {
  // Leaves out what is undefined; names in prose are meant without regard to case.
  const { createdAfter, createdBefore } = criteria;
  const dated = { ...criteria, createdAfter: dateOf(createdAfter), createdBefore: dateOf(createdBefore) };
  const given = Object.fromEntries(Object.entries(dated).filter(([, value]) => value !== undefined));
  return { ...given, caseSensitive: false };
}

function dateOf(given: string | undefined): string | undefined {
  const date = given === undefined ? undefined : parseDate(given);
  if (given !== undefined && date === undefined)
    throw promptNotRead(`'${given}' is no date; give one such as 2024-01-31.`);
  return date;
}

function listed(examples: readonly string[], total: number): string {
  const more = total - examples.length;
  return [...examples, ...(more > 0 ? [`and ${more} more...`] : [])].join('; ');
}
