import type { Filter } from '../../../domain/filter.ts';
import type { TensorRef } from '../../../domain/plan.ts';
import type { Concept } from '../../../domain/prompt/english.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { bounds } from '../../../domain/prompt/tensor-traits.ts';
import { countedFigure, measuredFigure } from '../../../domain/prompt/value-traits.ts';
import { type FindValue, findValue } from '../measure/find-value.ts';
import { type Check, check, properties } from './check.ts';
import { type CheckModel, checkModel } from './check-model.ts';
import { type Compare, compare } from './compare.ts';

type Asked = Check | Compare | CheckModel | FindValue;
const stepOf = (tensor: TensorRef, filter: Filter): Check[] => [{ do: 'check', tensor, filter }];
const being = word('IS', 'HAVE', 'CONTAINS', 'EXIST', 'DOES');

/** What is said as in "if x has NaN", besides what is asked as in "does x have NaN". */
const stated: Parser<readonly Asked[]> = alt(
  // "if any value of X is negative", "if all values of X are positive"
  map(
    seq(
      word('ALL'),
      opt(word('OF')),
      opt(word('ELEMENTS', 'VALUES')),
      opt(word('OF')),
      tensorRefs,
      being,
      countedFigure,
    ),
    ([said, , , , tensor, , figure]) =>
      stepOf(tensor, {
        figures: [
          /^(?:any|some)/i.test(said.text) ? { figure, range: { min: 1 } } : { figure, range: {}, every: true },
        ],
      }),
  ),
  // "falls X negative Werte hat"
  map(seq(tensorRefs, properties, many(being, 1)), ([tensor, filter]) => stepOf(tensor, filter)),
  map(
    seq(tensorRefs, many(being), many(word('NOT'), 1), many(being), many(word('NOT')), opt(word('OF')), countedFigure),
    ([tensor, , , , , , figure]) => stepOf(tensor, { figures: [{ figure, range: { max: 0 } }] }),
  ),
  // "falls der Mittelwert von X über 3 liegt"
  map(seq(measuredFigure, word('OF'), tensorRefs, many(being), bounds, many(being)), ([figure, , tensor, , range]) =>
    stepOf(tensor, { figures: [{ figure, range }] }),
  ),
);

const COUNTED: readonly Concept[] = ['NEGATIVE', 'POSITIVE', 'ZERO', 'NONZERO', 'NAN', 'INFINITE', 'TRUE', 'FALSE'];
const WHOSE: readonly Concept[] = [
  'ELEMENTS',
  'VALUES',
  'EXIST',
  'ALL',
  'ENTIRELY',
  'MINIMUM',
  'MAXIMUM',
  'MEAN',
  'SUM',
];
/** "If x is negative" leaves open whether one value or all are meant. */
function decided<T>(parser: Parser<T>): Parser<T> {
  return (input, at) =>
    parser(input, at).filter(({ next }) => {
      const said = input.tokens.slice(at, next);
      const has = (i: number, concepts: readonly Concept[]) => concepts.some((each) => said[i]?.concepts.has(each));
      const isOpen = said.some(
        (_, i) =>
          has(i, ['IS']) && !has(i, WHOSE) && (has(i + 1, COUNTED) || (has(i + 1, ['NOT']) && has(i + 2, COUNTED))),
      );
      return !isOpen || said.some((_, i) => has(i, WHOSE));
    });
}
/** A question of yes or no, asked or stated. */
export const condition: Parser<readonly Asked[]> = decided(
  alt(
    check.clause,
    map(compare.clause, (steps) => (steps.every(({ same, isFirst }) => same ?? isFirst) ? steps : undefined)),
    findValue.clause,
    checkModel.clause,
    stated,
  ),
);
