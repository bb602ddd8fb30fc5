import type { RunInput, TensorRef } from '../../domain/plan.ts';
import { selection } from '../../domain/prompt/criteria.ts';
import { alt, list, many, map, opt, type Parser, seq, token, word } from '../../domain/prompt/parser.ts';
import { and, anyName, asking, modelName, PREVIOUS, tensorRefs } from '../../domain/prompt/refs.ts';
import type { Run } from './run.ts';

const PREVIOUS_RESULT: RunInput = { tensor: { step: PREVIOUS, one: true } };

const input: Parser<RunInput> = alt(
  map(tensorRefs, (tensor) => ({ tensor })),
  map(seq(tensorRefs, word('AS'), opt(word('ROLE')), anyName), ([tensor, , , key]) => ({ tensor, key })),
  map(seq(tensorRefs, word('AS'), word('INPUTS', 'ROLE')), ([tensor]) => ({ tensor })),
  map(seq(opt(word('ROLE')), anyName, word('EQUALS'), tensorRefs), ([, key, , tensor]) => ({ tensor, key })),
  map(selection, ({ what, filter, order, limit, isMany }) =>
    what === 'tensors' && (isMany || order) && (Object.keys(filter).length > 0 || order || isMany)
      ? { all: { filter, ...(order && { order, limit: limit ?? 1 }) } }
      : undefined,
  ),
);
/** "tensors a and b": behind the noun, letters are names too. */
const plainName: Parser<TensorRef> = token((each) =>
  each.kind === 'quoted' || (each.kind === 'word' && (each.concepts.size === 0 || /^\p{L}$/u.test(each.text)))
    ? { name: each.text }
    : undefined,
);
export const inputs: Parser<RunInput[]> = alt(
  map(seq(opt(word('ALL')), opt(word('INPUTS')), opt(word('COLON')), list(input, and)), ([, , , found]) => found),
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
/** "and call the output X", "-> X", "结果命名为 X". */
export const output: Parser<string[]> = alt(
  map(
    seq(separator, word('CALL'), opt(alt(word('OUTPUT'), word('IT'))), into, names, opt(word('PARTICLE'))),
    // "save nothing" names no output; "llámalo" and "保存为" have the object in them.
    ([, verb, object, by, found]) =>
      object || by.length > 0 || /\p{Script=Han}|l[oa]$|-l[ea]$/u.test(verb.text) ? found : undefined,
  ),
  map(
    seq(
      separator,
      many(word('WITH')),
      opt(alt(word('OUTPUT'), word('IT'))),
      many(word('CALL', 'INTO', 'NAMED', 'EQUALS', 'OUTPUT_NAME', 'IS'), 1),
      names,
    ),
    ([, , said, , found]) => (said ? found : undefined),
  ),
  map(seq(separator, many(word('WITH')), word('OUTPUT'), names), ([, , , found]) => found, 0.5),
  map(seq(separator, many(word('WITH')), word('OUTPUT_NAME'), many(word('EQUALS')), names), ([, , said, , found]) =>
    /output|result/i.test(said.text) ? found : undefined,
  ),
  map(seq(separator, word('ARROW'), names), ([, , found]) => found),
  // The result is stored anyway.
  map(seq(separator, word('CALL'), alt(word('OUTPUT'), word('IT'))), () => [], 0.5),
);
const ending = map(seq(opt(word('PARTICLE')), opt(output), opt(word('PARTICLE'))), ([, found]) => found ?? []);

const run = (model: string, given: readonly RunInput[], outputs: readonly string[]): Run => ({
  do: 'run',
  model,
  inputs: [...given],
  ...(outputs.length > 0 && { outputs: [...outputs] }),
});

const on = word('ON', 'WITH', 'USING');
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
  map(seq(many(word('AND', 'COMMA', 'THEN'), 1), modelName, on, inputs, ending), ([, model, , given, outputs]) => ({
    model,
    inputs: given,
    outputs,
  })),
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
const verb = seq(word('RUN'), opt(seq(word('PREDICT'), opt(word('WITH', 'USING', 'OF')))));
const several = list(modelName, and);
const chain = list(
  modelName,
  map(seq(many(word('AND', 'COMMA')), word('THEN')), () => true),
);

/** "Run M on T and call the output O" in its many forms. */
export const runClause: Parser<readonly Run[]> = alt(
  map(seq(verb, modelName, on, inputs, ending, many(more)), ([, model, , given, outputs, rest]) =>
    continued(run(model, given, outputs), rest),
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
  // "M(T)", "O = M(key=T)"
  map(
    seq(
      opt(word('RUN')),
      opt(seq(anyName, word('EQUALS'))),
      modelName,
      word('OPEN'),
      inputs,
      word('CLOSE'),
      opt(output),
    ),
    ([, assigned, model, , given, , outputs]) =>
      assigned && outputs ? undefined : [run(model, given, assigned ? [assigned[0]] : (outputs ?? []))],
  ),
  map(seq(verb, modelName), ([, model]) => [run(model, [], [])], 0.5),
  // A model that is not there is worth an answer.
  map(seq(verb, unknownModel, on, inputs, ending), ([, model, , given, outputs]) => [run(model, given, outputs)], 3),
);
