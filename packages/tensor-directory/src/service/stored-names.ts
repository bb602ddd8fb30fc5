import { isWorkOf } from '../domain/models/model-work.ts';
import type { Claim } from '../domain/prompt/parser.ts';
import { keysOf } from './model-keys.ts';
import type { Models } from './models.ts';
import type { Tensors } from './tensors.ts';

/** What is stored by which name. Each name is looked up once, however many readings of a prompt have it. */
export class StoredNames {
  readonly #tensors: Tensors;
  readonly #models: Models;
  readonly #found = new Map<string, Promise<unknown>>();

  constructor(tensors: Tensors, models: Models) {
    this.#tensors = tensors;
    this.#models = models;
  }

  async exists(kind: Claim['kind'], name: string): Promise<boolean> {
    if (kind !== 'model' && (await this.#tensor(name))) return true;
    return kind !== 'tensor' && (await this.#model(name)) !== undefined;
  }

  /** "Add a and b with adder": whether the model does what the verb says. */
  async does(name: string, verb: string): Promise<boolean> {
    const model = await this.#model(name);
    return model !== undefined && isWorkOf(verb, `${model.name} ${model.description}`);
  }

  /** "The highest temperature in a": whether the tensor is about temperatures. */
  async says(name: string, word: string): Promise<boolean> {
    const tensor = await this.#tensor(name);
    const said = word.toLowerCase().replace(/(?:en|s|e)$/, '');
    return `${tensor?.name} ${tensor?.description}`
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((each) => said.length >= 3 && each.startsWith(said) && each.length <= said.length + 3);
  }

  /** "With base a and overlay b": whether the model reads a key of that name. */
  async reads(name: string, key: string): Promise<boolean> {
    const model = await this.#model(name);
    const keys = model && keysOf(model);
    return keys !== undefined && [...keys.required, ...keys.optional].includes(key);
  }

  #tensor(name: string) {
    return this.#once(`tensor ${name}`, () => this.#tensors.find(name));
  }

  #model(name: string) {
    return this.#once(`model ${name}`, () => this.#models.find(name));
  }

  #once<T>(key: string, find: () => Promise<T>): Promise<T> {
    // The key says which of the two it is.
    const found = (this.#found.get(key) as Promise<T> | undefined) ?? find();
    this.#found.set(key, found);
    return found;
  }
}
