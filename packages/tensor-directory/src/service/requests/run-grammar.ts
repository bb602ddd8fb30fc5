import type { RunInput } from '../../domain/plan.ts';
import { exceptClause } from '../../domain/prompt/criteria.ts';
import type { Concept } from '../../domain/prompt/english.ts';
import { alt, list, many, map, opt, type Parser, rule, seq, token, word } from '../../domain/prompt/parser.ts';
import { and, anyName, asking, count, keyName, modelName } from '../../domain/prompt/refs.ts';
import type { Run } from './run.ts';
import { schemeClause, wordedClause } from './run-forms.ts';
import { ending, inputs, on, output, PREVIOUS_RESULT, run, using, verb } from './run-parts.ts';

const again = opt(word('AGAIN'));
/** "again" says nothing more only where the result of the step before is meant. */
const isAgain = (said: unknown, given: readonly RunInput[]) =>
  said === undefined || given.every((each) => 'tensor' in each && 'step' in each.tensor);
/** "… and then M2", "… and M2 on T2", "… and on T2". */
interface More {
  readonly model?: string;
  readonly inputs?: readonly RunInput[];
  readonly outputs: readonly string[];
}
const more: Parser<More> = alt(
  map(seq(many(word('AND', 'COMMA')), word('THEN'), opt(word('RUN')), modelName, ending), ([, , , model, outputs]) => ({
    model,
    outputs,
  })),
  map(
    seq(many(word('AND', 'COMMA', 'THEN'), 1), again, modelName, again, on, inputs, again, ending),
    ([, before, model, middle, , given, after, outputs]) =>
      isAgain(before ?? middle ?? after, given) ? { model, inputs: given, outputs } : undefined,
  ),
  map(seq(many(word('AND', 'COMMA', 'THEN'), 1), on, inputs, ending), ([, , given, outputs]) => ({
    inputs: given,
    outputs,
  })),
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

/** Verbs for what a model does: "double", "addiere". The model's name or description must bear them out. */
const work = token((each) =>
  each.kind === 'word' && (each.concepts.size === 0 || WORK.some((concept) => each.concepts.has(concept)))
    ? each.text
    : undefined,
);
const WORK: readonly Concept[] = ['WORK', 'TRANSFORM'];
interface Work {
  readonly verb: string;
  readonly model: string;
  readonly runs: Run[];
}
const worked =
  (parser: Parser<Work>): Parser<Run[]> =>
  (given, at) =>
    parser(given, at).map(({ value, claims, ...match }) => ({
      ...match,
      value: value.runs,
      claims: [...claims, { kind: 'model' as const, name: value.model, must: true, does: value.verb }],
    }));
const together = opt(word('TOGETHER', 'PARTICLE'));
const workClause: Parser<Run[]> = alt(
  // "add A and B together with M", "double that again with M"
  worked(
    map(
      seq(work, inputs, again, together, using, modelName, together, ending),
      ([verb, given, said, , , model, , outputs]) =>
        isAgain(said, given) ? { verb, model, runs: [run(model, given, outputs)] } : undefined,
    ),
  ),
  // "the last two entries of T doubled with M"
  worked(
    map(seq(many(word('WANT')), inputs, work, using, modelName, ending), ([, given, verb, , model, outputs]) => ({
      verb,
      model,
      runs: [run(model, given, outputs)],
    })),
  ),
  // "T mit M verdoppeln", "把 A 和 B 用 M 加起来"
  worked(
    map(seq(opt(word('ON')), inputs, using, modelName, work, ending), ([, given, , model, verb, outputs]) => ({
      verb,
      model,
      runs: [run(model, given, outputs)],
    })),
  ),
  // "use M to double T", "用 M 把 A 和 B 相加"
  worked(
    map(
      seq(word('RUN', 'USING'), modelName, many(word('WITH', 'ON')), work, inputs, ending),
      ([, model, , verb, given, outputs]) => ({
        verb,
        model,
        runs: [run(model, given, outputs)],
      }),
    ),
  ),
  worked(
    map(
      seq(word('RUN', 'USING'), modelName, many(word('ON')), inputs, work, ending),
      ([, model, , given, verb, outputs]) => ({
        verb,
        model,
        runs: [run(model, given, outputs)],
      }),
    ),
  ),
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
  seq(opt(word('RUN')), opt(seq(alt(anyName, keyName), word('EQUALS'))), call, opt(output)),
  ([, assigned, runs, outputs]) =>
    assigned && outputs ? undefined : named(runs, assigned ? [assigned[0]] : (outputs ?? [])),
);
const named = (runs: readonly Run[], outputs: readonly string[]): Run[] => [
  ...runs.slice(0, -1),
  run(runs.at(-1)!.model, runs.at(-1)!.inputs, outputs),
];

/** "three times in a row": only where it is said that each run goes on with the result of the one before. */
const MAX_TIMES = 10;
const times: Parser<number> = alt(
  map(seq(count, word('TIMES')), ([number]) => number),
  map(word('TWICE'), () => 2),
  map(word('THRICE'), () => 3),
);
const inRow = word('IN_A_ROW');
const repeated = (model: string, given: readonly RunInput[], number: number, outputs: readonly string[]) =>
  number < 2 || number > MAX_TIMES || given.length !== 1
    ? undefined
    : named(
        Array.from({ length: number }, (_, i) => run(model, i === 0 ? given : [PREVIOUS_RESULT], [])),
        outputs,
      );
const repeatClause: Parser<Run[]> = alt(
  map(
    seq(verb, modelName, times, inRow, on, inputs, opt(seq(opt(word('COMMA')), inRow)), ending),
    ([, model, number, , , given, , outputs]) => repeated(model, given, number, outputs),
  ),
  map(
    seq(verb, modelName, on, inputs, times, opt(word('COMMA')), inRow, ending),
    ([, model, , given, number, , , outputs]) => repeated(model, given, number, outputs),
  ),
  map(
    seq(verb, modelName, times, on, inputs, opt(word('COMMA')), inRow, ending),
    ([, model, number, , given, , , outputs]) => repeated(model, given, number, outputs),
  ),
  map(seq(verb, modelName, inRow, times, on, inputs, ending), ([, model, , number, , given, outputs]) =>
    repeated(model, given, number, outputs),
  ),
  // "对 T 连续运行两次 M"
  map(
    seq(
      word('ON', 'WITH'),
      inputs,
      inRow,
      word('RUN'),
      alt(
        seq(times, modelName),
        map(seq(modelName, times), ([m, n]) => [n, m] as [number, string]),
      ),
      ending,
    ),
    ([, given, , , [number, model], outputs]) => repeated(model, given, number, outputs),
  ),
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
  // "run M with left=A and right=B as O"
  map(seq(verb, modelName, on, inputs, word('AS'), anyName), ([, model, , given, , name]) =>
    given.every((each) => 'key' in each && each.key !== undefined) ? [run(model, given, [name])] : undefined,
  ),
  // "run inference on T with M", "run T through M", "feed T to M", "predict T with M"
  map(seq(verb, opt(word('ON')), inputs, word('WITH', 'USING'), modelName, ending), ([, , given, , model, outputs]) => [
    run(model, given, outputs),
  ]),
  map(
    seq(word('FEED', 'PREDICT'), opt(word('ON', 'OF')), inputs, word('WITH', 'USING', 'ON'), modelName, ending),
    ([, , given, , model, outputs]) => [run(model, given, outputs)],
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
    seq(word('ON', 'WITH'), inputs, opt(word('PARTICLE')), word('RUN', 'PROCESS'), modelName, ending),
    ([, given, , , model, outputs]) => [run(model, given, outputs)],
  ),
  // "führe M darauf aus"
  map(seq(verb, modelName, word('ON_IT'), ending), ([, model, , outputs]) => [run(model, [PREVIOUS_RESULT], outputs)]),
  // "把 M 应用到 T"
  map(seq(modelName, word('APPLY_TO'), inputs, ending), ([model, , given, outputs]) => [run(model, given, outputs)]),
  map(seq(verb, modelName), ([, model]) => [run(model, [], [])], 0.5),
  // A model that is not there is worth an answer.
  map(seq(verb, unknownModel, on, inputs, ending), ([, model, , given, outputs]) => [run(model, given, outputs)], 3),
);

const anyClause: Parser<readonly Run[]> = rule(() =>
  alt(plainClause, bareClause, workClause, nested, repeatClause, wordedClause, schemeClause),
);

function withoutNames([first, ...rest]: readonly Run[], names: readonly string[]): Run[] | undefined {
  const [input, ...more] = first?.inputs ?? [];
  if (!first || rest.length > 0 || more.length > 0 || !input || !('all' in input) || input.all.filter.except)
    return undefined;
  return [{ ...first, inputs: [{ all: { ...input.all, filter: { ...input.all.filter, except: [...names] } } }] }];
}

export const runClause: Parser<readonly Run[]> = alt(
  anyClause,
  // "what comes out if I feed T into M"
  map(seq(word('ASK_OUTPUT'), anyClause), ([, runs]) => runs),
  // "except for mask, run M on all tensors"
  map(seq(exceptClause, opt(word('COMMA')), anyClause), ([names, , runs]) => withoutNames(runs, names)),
);
