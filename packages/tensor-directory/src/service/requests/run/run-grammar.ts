import type { Filter } from '../../../domain/filter.ts';
import type { RunInput } from '../../../domain/plan.ts';
import { except, merge } from '../../../domain/prompt/criteria.ts';
import {
  alt,
  list,
  type Match,
  many,
  map,
  opt,
  type Parser,
  rule,
  seq,
  token,
  word,
} from '../../../domain/prompt/parser.ts';
import { and, anyName, asking, keyName, modelName } from '../../../domain/prompt/refs.ts';
import type { Run } from './run.ts';
import { schemeClause, wordedClause } from './run-forms.ts';
import {
  again,
  ending,
  inputs,
  isAgain,
  isBareKey,
  named,
  on,
  output,
  outputNames,
  PREVIOUS_RESULT,
  run,
  verb,
  withoutMark,
} from './run-parts.ts';
import { repeatClause } from './run-repeat.ts';
import { workClause } from './run-work.ts';

/** "… and then M2", "… and M2 on T2", "… and on T2". */
interface More {
  readonly model?: string;
  readonly inputs?: readonly RunInput[];
  readonly outputs: readonly string[];
}
const more: Parser<More> = alt(
  map(
    seq(many(word('AND', 'COMMA')), word('THEN'), opt(word('RUN')), modelName, again, ending),
    ([, , , model, , outputs]) => ({
      model,
      outputs,
    }),
  ),
  // "… and then through M2"
  map(
    seq(many(word('AND', 'COMMA')), word('THEN'), opt(word('RUN', 'FEED')), word('WITH', 'USING'), modelName, ending),
    ([, , , , model, outputs]) => ({ model, outputs }),
    0.2,
  ),
  map(
    seq(many(word('AND', 'COMMA', 'THEN'), 1), again, modelName, again, on, inputs, again, ending),
    ([, before, model, middle, , given, after, outputs]) =>
      isAgain(before ?? middle ?? after, given) ? { model, inputs: given, outputs } : undefined,
  ),
  map(seq(many(word('AND', 'COMMA', 'THEN'), 1), on, inputs, ending), ([, , given, outputs]) => ({
    inputs: given,
    outputs,
  })),
  // "run M on T1, then T2": the same model. A name of a model is one before that.
  map(
    seq(many(word('AND', 'COMMA', 'STOP')), word('THEN'), inputs, ending),
    ([, , given, outputs]) =>
      given.every((each) => 'tensor' in each && 'name' in each.tensor) ? { inputs: given, outputs } : undefined,
    0.2,
  ),
  // "… Then run it on T2": the model, not its result.
  map(
    seq(many(word('AND', 'COMMA', 'STOP', 'THEN'), 1), word('RUN'), word('IT'), on, inputs, ending),
    ([, , , , given, outputs]) => ({ inputs: given, outputs }),
  ),
);

function continued(first: Run, rest: readonly More[]): Run[] {
  const runs = [first];
  for (const { model, inputs: given, outputs } of rest)
    runs.push(run(model ?? runs.at(-1)!.model, given ?? [PREVIOUS_RESULT], outputs));
  return runs;
}

const unknownModel: Parser<string> = (input, at) =>
  token((each) => (each.kind === 'word' && each.concepts.size === 0 ? each.text : undefined))(input, at).map(
    (match) => ({
      ...match,
      claims: [{ kind: 'model', name: match.value, must: false }],
    }),
  );
const several = list(modelName, and);
const chain = list(
  modelName,
  map(seq(many(word('AND', 'COMMA')), word('THEN')), () => true),
);

/** "M2(M1(T))": the inner one first. */
const call: Parser<Run[]> = rule(() =>
  alt(
    map(seq(modelName, word('OPEN'), inputs, word('CLOSE')), ([model, , given]) => [run(model, given, [])]),
    map(seq(modelName, word('OPEN'), call, word('CLOSE')), ([model, , inner]) => [
      ...inner,
      run(model, [PREVIOUS_RESULT], []),
    ]),
  ),
);
const nested: Parser<Run[]> = map(
  seq(opt(word('RUN')), opt(seq(alt(anyName, keyName), word('EQUALS'))), call, opt(alt(output, outputNames))),
  ([, assigned, runs, outputs]) =>
    assigned && outputs ? undefined : named(runs, assigned ? [assigned[0]] : (outputs ?? [])),
);
/** "M on T as O", "M auf T anwenden", "I want M applied to T". */
const bareClause: Parser<readonly Run[]> = map(
  seq(
    many(word('WANT')),
    modelName,
    again,
    opt(word('RUN')),
    on,
    inputs,
    many(word('PARTICLE', 'RUN')),
    ending,
    many(more),
    many(word('PARTICLE', 'RUN')),
  ),
  ([, model, said, , , given, , outputs, rest]) =>
    isAgain(said, given) ? continued(run(model, given, outputs), rest) : undefined,
  0.5,
);

/** "Run M on T and call the output O" in its many forms. */
const plainClause: Parser<readonly Run[]> = alt(
  map(
    seq(verb, again, modelName, again, on, inputs, again, ending, many(more)),
    ([, before, model, middle, , given, after, outputs, rest]) =>
      isAgain(before ?? middle ?? after, given) ? continued(run(model, given, outputs), rest) : undefined,
  ),
  map(
    seq(asking, word('OUTPUT', 'PREDICT'), word('OF'), modelName, on, inputs, ending),
    ([, , , model, , given, outputs]) => [run(model, given, outputs)],
  ),
  // "run M1 and M2 on T", "run M1 and then M2 on T"
  map(seq(verb, several, on, inputs, ending), ([, models, , given, outputs]) =>
    models.length > 1 && outputs.length !== 1 && (outputs.length === 0 || outputs.length === models.length)
      ? models.map((model, i) => run(model, given, outputs.slice(i, i + 1)))
      : undefined,
  ),
  map(seq(verb, chain, on, inputs, ending), ([, models, , given, outputs]) =>
    models.length > 1 && outputs.length <= 1
      ? models.map((model, i) =>
          run(model, i === 0 ? given : [PREVIOUS_RESULT], i === models.length - 1 ? outputs : []),
        )
      : undefined,
  ),
  // "use M: left=A, right=B"
  map(seq(verb, modelName, word('COLON', 'COMMA'), inputs, ending), ([, model, , given, outputs]) =>
    given.every((each) => 'key' in each && each.key !== undefined) ? [run(model, given, outputs)] : undefined,
  ),
  map(seq(modelName, word('COLON'), inputs, ending), ([model, , given, outputs]) =>
    given.every((each) => 'key' in each && each.key !== undefined) ? [run(model, given, outputs)] : undefined,
  ),
  // "compute M with left=A and right=B"
  map(seq(word('SHOW'), modelName, on, inputs, ending), ([said, model, , given, outputs]) =>
    /^(?:compute|calculate|berechne|calcula|calcule|计算)$/i.test(said.text) && given.every((each) => 'key' in each)
      ? [run(model, given, outputs)]
      : undefined,
  ),
  // "save the result of M on T as O"
  map(
    seq(
      word('CALL'),
      word('OUTPUT'),
      word('OF'),
      opt(word('RUN')),
      modelName,
      on,
      inputs,
      many(word('PARTICLE')),
      outputNames,
    ),
    ([, , , , model, , given, , outputs]) => [run(model, given, outputs)],
  ),
  // "run M with left=A and right=B as O"
  map(seq(verb, modelName, on, inputs, word('AS'), anyName), ([, model, , given, , name]) =>
    given.every((each) => 'key' in each && each.key !== undefined) ? [run(model, given, [name])] : undefined,
  ),
  // "run inference on T with M", "run T through M", "feed T to M", "predict T with M"
  map(
    seq(verb, opt(word('ON')), inputs, word('WITH', 'USING'), modelName, ending, many(more)),
    ([, , given, , model, outputs, rest]) => continued(run(model, given, outputs), rest),
  ),
  // "use M on T1 with the mask T2"
  map(seq(verb, modelName, on, inputs, word('WITH'), inputs, ending), ([, model, , given, , keyed, outputs]) =>
    keyed.every((each) => 'key' in each && each.key !== undefined)
      ? [run(model, [...given, ...keyed], outputs)]
      : undefined,
  ),
  map(
    seq(
      word('FEED', 'PREDICT'),
      opt(word('ON', 'OF')),
      inputs,
      word('WITH', 'USING', 'ON'),
      modelName,
      ending,
      many(more),
    ),
    ([, , given, , model, outputs, rest]) => continued(run(model, given, outputs), rest),
  ),
  map(seq(word('PREDICT'), word('WITH', 'USING'), modelName, on, inputs, ending), ([, , model, , given, outputs]) => [
    run(model, given, outputs),
  ]),
  // "use M to process T", "用 M 处理 T"
  map(
    seq(word('RUN', 'USING'), modelName, many(word('WITH', 'ON')), word('PROCESS'), inputs, ending),
    ([, model, , , given, outputs]) => [run(model, given, outputs)],
  ),
  // "在 T 上运行 M"
  map(
    seq(word('ON', 'WITH'), inputs, opt(word('PARTICLE')), word('RUN', 'PROCESS'), modelName, ending, many(more)),
    ([, given, , , model, outputs, rest]) => continued(run(model, given, outputs), rest),
  ),
  // "führe M darauf aus"
  map(seq(verb, modelName, word('ON_IT'), ending), ([, model, , outputs]) => [run(model, [PREVIOUS_RESULT], outputs)]),
  // "aplícale M"
  map(seq(word('APPLY_IT'), modelName, ending), ([, model, outputs]) => [run(model, [PREVIOUS_RESULT], outputs)]),
  // "把 M 应用到 T"
  map(seq(modelName, word('APPLY_TO'), inputs, ending), ([model, , given, outputs]) => [run(model, given, outputs)]),
  map(seq(verb, modelName), ([, model]) => [run(model, [], [])], 0.5),
  // A model that is not there is worth an answer.
  map(seq(verb, unknownModel, on, inputs, ending), ([, model, , given, outputs]) => [run(model, given, outputs)], 3),
  map(
    seq(word('USING'), unknownModel, word('PROCESS', 'RUN'), inputs, ending),
    ([, model, , given, outputs]) => [run(model, given, outputs)],
    3,
  ),
);

const anyClause: Parser<readonly Run[]> = rule(() =>
  alt(plainClause, bareClause, workClause, nested, repeatClause, wordedClause, schemeClause),
);

/** "Run M on all tensors, except mask": what is left out may be said before or behind the rest. */
function leavingOut([first, ...rest]: readonly Run[], left: Filter): Run[] | undefined {
  const [input, ...more] = first?.inputs ?? [];
  if (!first || rest.length > 0 || more.length > 0 || !input || !('all' in input)) return undefined;
  const filter = merge([input.all.filter, left]);
  return filter && [{ ...first, inputs: [{ all: { ...input.all, filter } }] }];
}

/** "with base T1 and overlay T2": a word in front of a tensor is a key if the model reads such a key. */
const withKeys =
  (parser: Parser<readonly Run[]>): Parser<readonly Run[]> =>
  (given, at) =>
    parser(given, at).map((match): Match<readonly Run[]> => {
      const keys = match.value.flatMap(({ model, inputs: all }) =>
        all.flatMap((each) => (isBareKey(each) ? [{ model, key: each.key }] : [])),
      );
      if (keys.length === 0) return match;
      const claims = keys.map(({ model, key }) => ({ kind: 'model' as const, name: model, must: true, reads: key }));
      const value = match.value.map((each) => ({ ...each, inputs: each.inputs.map(withoutMark) }));
      return { ...match, value, claims: [...match.claims, ...claims] };
    });

export const runClause: Parser<readonly Run[]> = withKeys(
  alt(
    anyClause,
    // "what comes out if I feed T into M"
    map(seq(word('ASK_OUTPUT'), anyClause), ([, runs]) => runs),
    // "except for mask, run M on all tensors"
    map(seq(except, opt(word('COMMA')), anyClause), ([left, , runs]) => leavingOut(runs, left)),
    map(seq(anyClause, opt(word('COMMA')), except), ([runs, , left]) => leavingOut(runs, left), 0.1),
  ),
);
