import type { RunInput, TensorRef } from '../../../domain/plan.ts';
import { fits, itemsFilter, selection } from '../../../domain/prompt/criteria.ts';
import { alt, list, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { and, anyName, keyName, PREVIOUS } from '../../../domain/prompt/refs.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { isSome } from '../../../domain/prompt/value-traits.ts';
import type { Run } from './run.ts';

export const PREVIOUS_RESULT: RunInput = { tensor: { step: PREVIOUS, one: true } };

/** A key without a sign behind it; what the model reads tells whether it is one. */
export interface BareKey {
  readonly tensor: TensorRef;
  readonly key: string;
  readonly isBare: true;
}
const bareKeyed: Parser<BareKey> = map(
  seq(
    token((each) => (each.kind === 'quoted' || each.kind === 'word' ? each.text : undefined)),
    tensorRefs,
  ),
  ([key, tensor]) => ({ tensor, key, isBare: true as const }),
  1,
);
export const isBareKey = (each: RunInput): each is BareKey => 'isBare' in each;
export const withoutMark = (each: RunInput): RunInput =>
  isBareKey(each) ? { tensor: each.tensor, key: each.key, isKey: true } : each;

const input: Parser<RunInput> = alt(
  map(tensorRefs, (tensor) => ({ tensor })),
  map(seq(tensorRefs, word('AS'), word('INPUTS', 'ROLE')), ([tensor]) => ({ tensor })),
  map(seq(tensorRefs, word('AS'), opt(word('ROLE')), anyName), ([tensor, , , key]) => ({ tensor, key })),
  map(seq(opt(word('ROLE')), alt(anyName, keyName), word('EQUALS'), tensorRefs), ([, key, , tensor]) => ({
    tensor,
    key,
    isKey: true,
  })),
  bareKeyed,
  map(selection, ({ what, filter, order, limit, isMany, isOpen }) =>
    what === 'tensors' && !isOpen && (isMany || order) && (Object.keys(filter).length > 0 || order || isMany)
      ? { all: { filter, ...(order && { order, limit: limit ?? 1 }) } }
      : undefined,
  ),
);
/** "everything", "everything except mask": all tensors. */
const everything: Parser<RunInput> = (given, at) =>
  map(itemsFilter, (filter) => (fits(filter, 'tensors') ? { all: { filter } } : undefined))(given, at).filter(
    ({ next }) =>
      given.tokens
        .slice(at, next)
        .some(({ text }) => /^(?:everything|alles|todo|tout|所有.*|一切|全部.*)$/i.test(text)),
  );
/** "tensors a and b": behind the noun, letters are names too. */
const plainName: Parser<TensorRef> = token((each) =>
  each.kind === 'quoted' || (each.kind === 'word' && (each.concepts.size === 0 || /^\p{L}$/u.test(each.text)))
    ? { name: each.text }
    : undefined,
);
export const inputs: Parser<RunInput[]> = alt(
  map(
    seq(opt(word('ALL')), opt(word('INPUTS')), opt(word('COLON')), list(alt(input, everything), and)),
    ([all, , , found]) =>
      // "all except a and b" leaves out both, and "some tensors" leaves open which.
      (all && isSome(all)) || (found.length > 1 && found.some((each) => 'all' in each && each.all.filter.except))
        ? undefined
        : found,
  ),
  map(seq(word('TENSORS'), list(plainName, and)), ([, found]) =>
    found.length > 1 ? found.map((tensor) => ({ tensor })) : undefined,
  ),
);

const separator = many(word('AND', 'COMMA', 'STOP', 'THEN'));
const into = many(word('INTO', 'NAMED', 'EQUALS', 'OUTPUT_NAME'));
const names: Parser<string[]> = map(
  seq(anyName, many(map(seq(and, anyName), ([, found]) => found, 1))),
  ([first, rest]) => [first, ...rest],
);
/** "as X", "under the name X and Y". */
export const outputNames: Parser<string[]> = map(
  seq(many(word('INTO', 'NAMED', 'EQUALS', 'OUTPUT_NAME', 'AS', 'CALL'), 1), names, many(word('PARTICLE', 'CALL'))),
  ([, found]) => found,
);
/** "and call the output X", "-> X", "结果命名为 X". */
export const output: Parser<string[]> = alt(
  map(
    seq(separator, word('CALL'), opt(alt(word('OUTPUT'), word('IT'))), into, names, opt(word('PARTICLE', 'CALL'))),
    // "save nothing" names no output; "llámalo" and "保存为" have the object in them.
    ([, verb, object, by, found]) =>
      object || by.length > 0 || /\p{Script=Han}|l[oa]$|-l[ea]$/u.test(verb.text) ? found : undefined,
  ),
  map(
    seq(
      separator,
      many(word('WITH', 'WANT')),
      opt(alt(word('OUTPUT'), word('IT'))),
      many(word('CALL', 'INTO', 'NAMED', 'EQUALS', 'OUTPUT_NAME', 'IS'), 1),
      names,
      // "soll X heißen"
      opt(word('CALL', 'INTO')),
    ),
    ([, , said, , found]) => (said ? found : undefined),
  ),
  map(seq(separator, many(word('WITH')), word('OUTPUT'), names), ([, , , found]) => found, 0.5),
  map(
    seq(separator, many(word('WITH', 'WANT')), word('OUTPUT_NAME'), many(word('EQUALS')), names),
    ([, , said, , found]) => (/output|result|ausgabe|ergebnis|the name/i.test(said.text) ? found : undefined),
  ),
  map(
    seq(many(word('AND', 'COMMA', 'STOP'), 1), word('NAME'), word('EQUALS', 'COLON'), names),
    ([, , , found]) => found,
  ),
  map(seq(separator, word('ARROW'), opt(seq(word('CALL'), into)), names), ([, , , found]) => found),
  // "llama x al resultado"
  map(seq(separator, word('CALL'), names, word('OUTPUT')), ([, , found]) => found, 0.2),
  // The result is stored anyway.
  map(seq(separator, word('CALL'), alt(word('OUTPUT'), word('IT'))), () => [], 0.5),
);
export const ending = map(seq(opt(word('PARTICLE')), opt(output), opt(word('PARTICLE'))), ([, found]) => found ?? []);

/** "on", "but only on". */
export const on = map(seq(many(word('COMMA', 'BUT', 'ONLY')), word('ON', 'WITH', 'USING')), () => true);
export const verb = seq(word('RUN'), opt(word('THEN')), opt(seq(word('PREDICT'), opt(word('WITH', 'USING', 'OF')))));
export const using = word('USING', 'WITH');

export const run = (model: string, given: readonly RunInput[], outputs: readonly string[]): Run => ({
  do: 'run',
  model,
  inputs: [...given],
  ...(outputs.length > 0 && { outputs: [...outputs] }),
});

export const again = opt(word('AGAIN'));
/** "again" says nothing more only where the result of the step before is meant. */
export const isAgain = (said: unknown, given: readonly RunInput[]) =>
  said === undefined || given.every((each) => 'tensor' in each && 'step' in each.tensor);

/** With names for what the last one returns. */
export const named = (runs: readonly Run[], outputs: readonly string[]): Run[] => [
  ...runs.slice(0, -1),
  run(runs.at(-1)!.model, runs.at(-1)!.inputs, outputs),
];
