import type { RunInput } from '../../../domain/plan.ts';
import { describedWork } from '../../../domain/prompt/described.ts';
import type { Concept } from '../../../domain/prompt/english.ts';
import { alt, many, map, mustExist, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { modelName } from '../../../domain/prompt/refs.ts';
import type { Run } from './run.ts';
import { again, ending, inputs, isAgain, run, using } from './run-parts.ts';

/** Verbs for what a model does: "double", "addiere". The model's name or description must bear them out. */
const work = token((each) =>
  each.kind === 'word' && (each.concepts.size === 0 || WORK.some((concept) => each.concepts.has(concept)))
    ? each.text
    : undefined,
);
const WORK: readonly Concept[] = ['WORK', 'TRANSFORM', 'MEAN', 'SUM', 'CREATED', 'EXPORT'];
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
/** Both words must be borne out: "add VAT" by what adds VAT. */
const workedWith =
  (parser: Parser<Work & { object: string }>): Parser<Run[]> =>
  (given, at) =>
    parser(given, at).map(({ value, claims, ...match }) => {
      const claim = { kind: 'model' as const, name: value.model, must: true };
      return {
        ...match,
        value: value.runs,
        claims: [...claims, { ...claim, does: value.verb }, { ...claim, does: value.object }],
      };
    });
/** "negate x", "double x": the name of a model as a verb, or a verb for what one model does. */
const verbName: Parser<string> = alt(
  map(mustExist(modelName), (model) => model),
  describedWork,
);
const isOne = (each: RunInput) => 'tensor' in each && !('isBare' in each);
const together = opt(word('TOGETHER', 'PARTICLE'));
export const workClause: Parser<Run[]> = alt(
  map(
    seq(many(word('WANT', 'THEN')), verbName, again, inputs, ending),
    ([, model, said, given, outputs]) =>
      isAgain(said, given) && given.every(isOne) ? [run(model, given, outputs)] : undefined,
    1.2,
  ),
  // "convert T to fahrenheit"
  worked(
    map(seq(work, inputs, word('ON', 'AS'), modelName, ending), ([verb, given, , model, outputs]) =>
      given.every(isOne) ? { verb, model, runs: [run(model, given, outputs)] } : undefined,
    ),
  ),
  // "M of T -> O"
  map(
    seq(many(word('WANT')), mustExist(modelName), word('OF'), inputs, ending),
    ([, model, , given, outputs]) =>
      outputs.length > 0 && given.every(isOne) ? [run(model, given, outputs)] : undefined,
    1,
  ),
  // "add VAT to T using M"
  workedWith(
    map(
      seq(work, work, word('ON', 'OF', 'WITH'), inputs, using, modelName, ending),
      ([verb, object, , given, , model, outputs]) => ({ verb, object, model, runs: [run(model, given, outputs)] }),
    ),
  ),
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
