import type { Intent } from './intent.ts';
import { type FoundName, isLetterName, nameAt, skipNaming } from './prompt-names.ts';
import { withoutOutput } from './prompt-output.ts';
import type { Token } from './prompt-tokens.ts';
import { words } from './prompt-words.ts';

/** The model comes first: "run M on T". */
const MODEL_FIRST = words('run execute apply use using evaluate invoke compute calculate');
/** The tensors come first: "feed T to M". */
const TENSOR_FIRST = words('feed pass send push process transform classify put');
const EITHER = words('inference predict prediction infer');
const ARTICLES = words('the a an my our this its their stored trained uploaded input inputs tensor tensors');
/** Words between the inputs that name nothing. */
const FILLING = words('named called name is it : = process transform classify handle role key at');
const JOINING = words('on with using over against to for from and , & plus given upon through into by');

type RunIntent = Extract<Intent, { kind: 'run_model' }>;

/** Whether the first verb of a request asks for something to be run. */
export function startsRun(key: string): boolean {
  return MODEL_FIRST.has(key) || TENSOR_FIRST.has(key) || EITHER.has(key);
}

/** Reads "run model M on T1 and T2 and call the output O" in its many forms. */
export function readRun(asked: readonly Token[], start: number): RunIntent | undefined {
  if (start < 0) return undefined;
  const { tokens, outputName } = withoutOutput(asked, start);
  const model = modelIn(tokens, start);
  if (!model) return undefined;
  let from = model.from;
  while (from - 1 > start && ['a', 'an', 'the', 'my', 'our'].includes(tokens[from - 1]!.key)) from--;
  const rest = tokens.filter((_, i) => i > start && (i < from || i >= model.next));
  const inputs = inputsIn(rest);
  // Two ordinary words around a preposition may be anything: "run a test on monday".
  const guess = !model.sure || inputs.some((input) => !input.sure && !model.explicit);
  return {
    kind: 'run_model',
    model: model.name,
    inputs: inputs.map(({ tensor, role }) => (role ? { tensor, role } : { tensor })),
    ...(outputName && { outputName }),
    ...(guess && { guess }),
  };
}

interface FoundModel extends FoundName {
  readonly from: number;
  readonly explicit: boolean;
}

function modelIn(tokens: readonly Token[], start: number): FoundModel | undefined {
  const at = tokens.findIndex(({ key }, i) => key === 'model' && i > start);
  if (at > 0) {
    const naming = skipNaming(tokens, at + 1);
    const after = nameAt(tokens, naming.at, true);
    if (after) return { ...after, sure: true, from: at, explicit: true };
    const before = nameAt(tokens, at - 1, true);
    if (before) return { ...before, sure: true, from: at - 1, next: at + 1, explicit: true };
    return undefined;
  }
  const verb = tokens[start]!.key;
  const leads =
    MODEL_FIRST.has(verb) &&
    !tokens.slice(start + 1, start + 4).some(({ key }) => key === 'tensor' || key === 'tensors' || EITHER.has(key));
  for (let i = start + 1; i < tokens.length; i++) {
    const { key } = tokens[i]!;
    if (leads && i <= start + 3) {
      const found = nameAt(tokens, i, true);
      if (found) return { ...found, from: i, explicit: false };
    } else if (!leads && ['through', 'into', 'with', 'using', 'to', 'by', 'via'].includes(key)) {
      const place = ARTICLES.has(tokens[i + 1]?.key ?? '') ? i + 2 : i + 1;
      const isTensor = ['tensor', 'tensors'].includes(tokens[i + 1]?.key ?? '');
      const found = isTensor ? undefined : nameAt(tokens, place, true);
      if (found) return { ...found, from: i, explicit: false };
    }
  }
  return undefined;
}

interface FoundInput {
  readonly tensor: string;
  readonly role?: string;
  readonly sure: boolean;
}

function inputsIn(tokens: readonly Token[]): FoundInput[] {
  const inputs: FoundInput[] = [];
  let i = 0;
  while (i < tokens.length) {
    const { key } = tokens[i]!;
    if (key === 'as' || key === '(') {
      i = takeRole(tokens, i, inputs);
      continue;
    }
    if ((JOINING.has(key) || ARTICLES.has(key) || FILLING.has(key)) && !isLetterName(tokens, i)) {
      i++;
      continue;
    }
    const opened =
      i === 0 ||
      JOINING.has(tokens[i - 1]!.key) ||
      ARTICLES.has(tokens[i - 1]!.key) ||
      ['named', 'called'].includes(tokens[i - 1]!.key);
    const found = nameAt(tokens, i, opened);
    if (!found) {
      i++;
      continue;
    }
    const assigned = ['=', ':'].includes(tokens[found.next]?.key ?? '')
      ? nameAt(tokens, found.next + 1, true)
      : undefined;
    if (assigned) {
      inputs.push({ tensor: assigned.name, role: found.name, sure: true });
      i = assigned.next;
    } else {
      inputs.push({
        tensor: found.name,
        sure: found.sure || ['tensor', 'tensors', 'input', 'inputs'].includes(tokens[i - 1]?.key ?? ''),
      });
      i = found.next;
    }
  }
  return inputs;
}

/** "… as input_A" gives the tensor before it a role; "… as input" says nothing new. */
function takeRole(tokens: readonly Token[], at: number, inputs: FoundInput[]): number {
  let place = at + 1;
  while (['the', 'a', 'an', 'its'].includes(tokens[place]?.key ?? '') && !isLetterName(tokens, place)) place++;
  const token = tokens[place];
  const last = inputs.at(-1);
  if (!token || token.kind === 'mark' || !last) return place;
  const bare = token.kind === 'word' && ['input', 'inputs', 'tensor', 'argument', 'data'].includes(token.key);
  const after = bare ? nameAt(tokens, place + 1, false) : undefined;
  if (bare && !after) return place + 1;
  const role = after ? after.name : token.text;
  if (role !== undefined) inputs[inputs.length - 1] = { ...last, role };
  return after ? after.next : place + 1;
}
