import type { RunInput } from '../../../domain/plan.ts';
import { alt, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { count, modelName } from '../../../domain/prompt/refs.ts';
import type { Run } from './run.ts';
import { ending, inputs, named, on, PREVIOUS_RESULT, run, verb } from './run-parts.ts';

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
export const repeatClause: Parser<Run[]> = alt(
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
