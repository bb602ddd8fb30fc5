import type { ModelItem, TensorItem } from '../backends/interface.ts';
import { isWorkOf } from '../domain/models/model-work.ts';
import { wordsOf } from '../domain/prompt/described.ts';
import type { Claim } from '../domain/prompt/parser.ts';
import { hasWords, plainName, wordsIn } from '../domain/words.ts';
import { textOf } from './item-selection.ts';
import type { Models } from './models.ts';
import type { Step } from './plans.ts';
import type { Tensors } from './tensors.ts';

/** So many tensors and models are compared with a description. */
const MAX_ITEMS = 5000;
const MAX_NAMED = 8;
type Item = TensorItem | ModelItem;

/** Finds the one tensor or model that a request describes instead of naming it. */
export class DescribedNames {
  readonly #items: Readonly<Record<'tensor' | 'model', readonly Item[]>>;
  readonly #names: Readonly<Record<'tensor' | 'model', ReadonlySet<string>>>;
  readonly #found = new Map<string, readonly string[]>();

  private constructor(tensors: readonly Item[], models: readonly Item[]) {
    this.#items = { tensor: tensors, model: models };
    const namesOf = (items: readonly Item[]) => new Set(items.map(({ name }) => name));
    this.#names = { tensor: namesOf(tensors), model: namesOf(models) };
  }

  static async of(tensors: Tensors, models: Models): Promise<DescribedNames> {
    const page = { offset: 0, limit: MAX_ITEMS };
    return new DescribedNames((await tensors.list({}, page)).items, (await models.list({}, page)).items);
  }

  isThere(kind: Claim['kind'], name: string): boolean {
    const { tensor, model } = this.#names;
    return (kind !== 'model' && tensor.has(name)) || (kind !== 'tensor' && model.has(name));
  }

  isAbout(words: readonly string[]): boolean {
    const wanted = words.flatMap(wordsIn);
    return [...this.#items.tensor, ...this.#items.model].some((item) => hasWords(textOf(item), wanted));
  }

  /** Names of what fits best: by the name itself, by words of the name, then by words of the description and the tags. */
  namesFor(claim: Claim): readonly string[] {
    const key = `${claim.kind} ${claim.isWork} ${claim.isPlain} ${claim.name}`;
    const names = this.#found.get(key) ?? this.#find(claim);
    this.#found.set(key, names);
    return names;
  }

  #find({ kind, name, isWork, isPlain }: Claim): readonly string[] {
    const words = wordsOf(name);
    const items = this.#items[kind === 'model' ? 'model' : 'tensor'];
    const plain = items.filter((item) => plainName(item.name) === plainName(words));
    if (plain.length > 0 || isPlain || isSingleIdentifier(words)) return distinct(plain);
    if (isWork) return distinct(items.filter((item) => isWorkOf(words, `${item.name} ${item.description}`)));
    const wanted = wordsIn(words);
    if (wanted.length === 0) return [];
    const byName = items.filter((item) => hasWords(item.name, wanted));
    if (byName.length > 0) return distinct(byName);
    return distinct(items.filter((item) => hasWords(textOf(item), wanted)));
  }

  /** The steps with the names that are meant, and what was taken for what; or a sentence on what is left open. */
  resolve(
    steps: readonly Step[],
    claims: readonly Claim[],
  ): { steps: readonly Step[]; notes: readonly string[]; problem?: string } {
    const names = new Map<string, string>();
    const notes: string[] = [];
    for (const claim of claims.filter(({ isDescribed }) => isDescribed)) {
      const found = this.namesFor(claim);
      const said = wordsOf(claim.name);
      const [first, ...more] = found;
      if (first === undefined) throw new Error('the reading was chosen because there is one');
      if (more.length > 0)
        return {
          steps: [],
          notes: [],
          problem: `'${said}' may mean ${found.length} ${claim.kind}s: ${listOf(found)}. Nothing was done. Name the one that is meant.`,
        };
      if (!names.has(claim.name)) notes.push(`'${said}' was taken for ${claim.kind} '${first}'.`);
      names.set(claim.name, first);
    }
    if (names.size === 0) return { steps, notes };
    const text = JSON.stringify(steps, (_, value) => (typeof value === 'string' ? (names.get(value) ?? value) : value));
    return { steps: JSON.parse(text) as Step[], notes };
  }
}

function distinct(items: readonly Item[]): string[] {
  return [...new Set(items.map(({ name }) => name))];
}

/** What is written like one name means that name, in other case or with other signs, and nothing that it describes. */
function isSingleIdentifier(words: string): boolean {
  return !/\s/.test(words) && /[^\p{L}]/u.test(words);
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => `'${name}'`);
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}
