import type { RunInput } from '../../../domain/plan.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from '../../../domain/prompt/parser.ts';
import { anyName, modelName } from '../../../domain/prompt/refs.ts';
import type { Run } from './run.ts';
import { ending, inputs, on, PREVIOUS_RESULT, run, using, verb } from './run-parts.ts';

const flow = token((each) => (each.kind === 'mark' && /^(?:->|→|\|)$/.test(each.text) ? true : undefined));
const pipe = token((each) => (each.kind === 'mark' && each.text === '|' ? true : undefined));
const chainOf = (given: readonly RunInput[], models: readonly string[], outputs: readonly string[]): Run[] =>
  models.map((model, i) => run(model, i === 0 ? given : [PREVIOUS_RESULT], i === models.length - 1 ? outputs : []));
/** More than any name of a model: what can be a model is one. */
const OUTPUT_COST = 7;
const breaks = many(word('AND', 'COMMA', 'STOP'));
const is = word('IS', 'EQUALS', 'COLON');
const modelIs: Parser<string> = map(seq(word('MODEL'), is, modelName), ([, , model]) => model);
const inputIs: Parser<RunInput[]> = map(seq(word('TENSOR', 'INPUTS', 'ROLE'), is, inputs), ([, , given]) => given);
const go = seq(many(word('THEN')), word('RUN'), opt(word('IT')));

/** Runs that are written as a scheme instead of a sentence. */
export const schemeClause: Parser<readonly Run[]> = alt(
  // "T -> M1 -> M2 -> O"
  map(
    seq(
      inputs,
      flow,
      modelName,
      many(map(seq(flow, modelName), ([, model]) => model)),
      opt(map(seq(flow, anyName), ([, name]) => name, OUTPUT_COST)),
    ),
    ([given, , first, rest, name]) => chainOf(given, [first, ...rest], name === undefined ? [] : [name]),
  ),
  // "pipe T through M1 | M2"
  map(
    seq(
      word('FEED', 'RUN'),
      inputs,
      word('WITH', 'USING'),
      modelName,
      many(
        map(seq(pipe, modelName), ([, model]) => model),
        1,
      ),
      ending,
    ),
    ([, given, , first, rest, outputs]) => chainOf(given, [first, ...rest], outputs),
  ),
  // "MODEL M INPUT T OUTPUT O"
  map(
    seq(
      opt(word('RUN')),
      modelName,
      breaks,
      word('INPUTS'),
      opt(word('COLON', 'EQUALS', 'IS')),
      inputs,
      breaks,
      ending,
    ),
    ([, model, , , , given, , outputs]) => [run(model, given, outputs)],
  ),
  map(
    seq(
      word('INPUTS'),
      opt(word('COLON', 'EQUALS')),
      inputs,
      breaks,
      word('MODEL'),
      opt(is),
      modelName,
      breaks,
      ending,
    ),
    ([, , given, , , , model, , outputs]) => [run(model, given, outputs)],
  ),
  // "model M, tensor T, go"
  map(
    seq(modelName, word('COMMA', 'STOP'), inputs, word('COMMA', 'STOP'), go, ending),
    ([model, , given, , , outputs]) => [run(model, given, outputs)],
  ),
  map(
    seq(inputs, word('COMMA', 'STOP'), modelName, word('COMMA', 'STOP'), go, ending),
    ([given, , model, , , outputs]) => [run(model, given, outputs)],
  ),
  // "The tensor is T, the model is M. Run it."
  map(seq(inputIs, breaks, modelIs, breaks, go, ending), ([given, , model, , , outputs]) => [
    run(model, given, outputs),
  ]),
  map(seq(modelIs, breaks, inputIs, breaks, go, ending), ([model, , given, , , outputs]) => [
    run(model, given, outputs),
  ]),
);

/** "M on A and B separately": one run for each tensor, whatever the model reads. */
function separately(model: string, given: readonly RunInput[], outputs: readonly string[]): Run[] | undefined {
  const isNamed = given.every((each) => 'tensor' in each && 'name' in each.tensor && each.key === undefined);
  if (!isNamed || given.length < 2 || (outputs.length > 0 && outputs.length !== given.length)) return undefined;
  return given.map((each, i) => run(model, [each], outputs.slice(i, i + 1)));
}

/** Runs with the tensor before the model, or one run for each tensor. */
export const wordedClause: Parser<readonly Run[]> = alt(
  // "M on A and B separately"
  map(
    seq(opt(verb), modelName, on, inputs, opt(word('COMMA')), word('SEPARATELY'), ending),
    ([, model, , given, , , outputs]) => separately(model, given, outputs),
  ),
  map(
    seq(word('FEED', 'RUN'), inputs, word('SEPARATELY'), word('WITH', 'USING'), modelName, ending),
    ([, given, , , model, outputs]) => separately(model, given, outputs),
  ),
  // "T goes through M", "T durch M schicken"
  map(seq(many(word('THEN')), inputs, word('GOES'), modelName, ending), ([, given, , model, outputs]) => [
    run(model, given, outputs),
  ]),
  map(
    seq(many(word('WANT')), inputs, word('WITH', 'USING'), modelName, word('FEED', 'RUN'), ending),
    ([, given, , model, , outputs]) => [run(model, given, outputs)],
  ),
  // "compute M of T"
  map(seq(word('SHOW', 'RUN'), modelName, word('OF'), inputs, ending), ([said, model, , given, outputs]) =>
    /^(?:compute|calculate|evaluate|work out)$/i.test(said.text) ? [run(model, given, outputs)] : undefined,
  ),
  // "用 M 把 T 算一遍", "只对 T 执行 M"
  map(seq(using, modelName, many(word('ON')), inputs, word('PROCESS'), ending), ([, model, , given, , outputs]) => [
    run(model, given, outputs),
  ]),
  map(
    seq(word('ONLY'), word('ON'), inputs, word('RUN', 'PROCESS'), modelName, ending),
    ([, , given, , model, outputs]) => [run(model, given, outputs)],
  ),
);
