import type { Order } from '../../../domain/filter.ts';
import { selection } from '../../../domain/prompt/criteria.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { modelName, tensorName } from '../../../domain/prompt/refs.ts';
import { type Search, searchOf } from './search.ts';

const age: Parser<Order> = alt(
  map(word('NEWEST'), () => 'newest' as const),
  map(word('OLDEST'), () => 'oldest' as const),
);
const newestOf = (by: Order): Search => ({ do: 'search', what: 'tensors', filter: {}, order: by, limit: 1 });
const fromOf = (madeFrom: string): Search[] => [{ do: 'search', what: 'tensors', filter: { madeFrom } }];
const madeOf = (madeBy: string): Search[] => [{ do: 'search', what: 'tensors', filter: { madeBy } }];
const asked = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'EXIST'));

/** What came last or first, and what was made from or by what. */
export const originClause: Parser<readonly Search[]> = alt(
  // "which tensor did I upload last", "welcher Tensor wurde zuletzt hochgeladen"
  map(
    seq(
      asked,
      selection,
      many(word('DOES', 'HAVE', 'IS')),
      alt(
        map(seq(word('CREATED'), age), ([, found]) => found),
        map(seq(age, word('CREATED')), ([found]) => found),
      ),
      many(word('HAVE', 'IS', 'EXIST')),
    ),
    ([, found, , order]) => (found.order ? undefined : [searchOf({ ...found, order, limit: 1 })]),
  ),
  // "was wurde zuletzt hochgeladen", "最后上传的是哪个张量"
  map(
    seq(word('WHAT'), many(word('HAVE', 'IS', 'DOES', 'EXIST', 'REL')), word('NEWEST', 'OLDEST'), opt(word('CREATED'))),
    ([, , said, made]) =>
      made || /uploaded|hochgeladen|上传/.test(said.text)
        ? [newestOf(said.concepts.has('NEWEST') ? 'newest' : 'oldest')]
        : undefined,
  ),
  map(seq(age, many(word('CREATED', 'IS', 'REL')), word('WHAT'), word('TENSORS')), ([by]) => [newestOf(by)]),
  // "从 X 生成了哪些张量"
  map(
    seq(
      word('MADE_FROM'),
      tensorName,
      many(word('MADE_FROM', 'CREATED', 'MAKE'), 1),
      many(word('WHAT'), 1),
      opt(word('TENSORS')),
    ),
    ([, madeFrom]) => fromOf(madeFrom),
  ),
  // "用 X 生成了哪些张量"
  map(
    seq(
      word('USING'),
      tensorName,
      many(word('MADE_FROM', 'CREATED', 'MAKE'), 1),
      many(word('WHAT'), 1),
      opt(word('TENSORS')),
    ),
    ([, madeFrom]) => fromOf(madeFrom),
  ),
  // "which tensors did M make", "welche Tensoren hat M erzeugt", "M 生成了哪些张量"
  map(
    seq(many(word('SHOW')), word('WHAT'), opt(word('TENSORS')), many(word('DOES', 'HAVE')), modelName, word('MAKE')),
    ([, , , , madeBy]) => madeOf(madeBy),
  ),
  map(seq(modelName, word('MAKE'), many(word('WHAT'), 1), opt(word('TENSORS'))), ([madeBy]) => madeOf(madeBy)),
  // "children of X", "X 的后代"
  map(seq(asked, word('CHILDREN'), opt(word('OF')), tensorName), ([, , , madeFrom]) => fromOf(madeFrom)),
  map(seq(tensorName, word('CHILDREN'), many(word('IS', 'WHAT', 'HAVE'))), ([madeFrom]) => fromOf(madeFrom)),
  // "has M been used for anything yet"
  map(seq(word('HAVE', 'IS'), modelName, word('USED')), ([, madeBy]) => madeOf(madeBy)),
);
