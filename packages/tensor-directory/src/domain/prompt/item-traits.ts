import type { Filter } from '../filter.ts';
import type { Concept } from './english.ts';
import { alt, many, map, opt, type Parser, seq, token, word } from './parser.ts';
import { anyName, modelName, tensorName } from './refs.ts';
import { contains } from './value-traits.ts';

/** Words that mean nothing to the grammar; longer texts are quoted. */
const openWord = token((each) =>
  each.kind === 'quoted' || (each.kind === 'word' && each.concepts.size === 0) ? each.text : undefined,
);
const describedAs = token((each) => (/^descriptions?$/i.test(each.text) ? true : undefined));
/** Nouns that a description may have as well: "about the identity matrix". */
const nounWord = token(
  (each) => (DESCRIBED.some((concept) => each.concepts.has(concept)) ? each.text : undefined),
  0.5,
);
const DESCRIBED: readonly Concept[] = ['MATRICES', 'VECTORS', 'SCALARS', 'WEIGHTS', 'MODELS'];
/** "From October" is a date before it is a topic. */
export const text: Parser<Filter> = map(
  seq(word('ABOUT'), many(alt(openWord, nounWord), 1)),
  ([, words]) => (words.length <= 4 ? { text: words.join(' ') } : undefined),
  0.1,
);
/** "with 'units' in their description". */
export const inDescription: Parser<Filter> = map(
  seq(contains, opt(word('WHAT')), openWord, word('OF'), many(word('IT')), describedAs),
  ([, , found]) => ({ text: found }),
  0.2,
);
/** In front of "tag" stands its name, or a word like "have" and "each" that is not one. */
const tagName: Parser<string> = (input, at) =>
  anyName(input, at).filter(({ next }) => {
    const said = input.tokens[next - 1];
    return said?.kind === 'quoted' || !UNTAGGED.some((concept) => said?.concepts.has(concept));
  });
const UNTAGGED: readonly Concept[] = [
  'HAVE',
  'CONTAINS',
  'IS',
  'DOES',
  'ALL',
  'REL',
  'NOT',
  'WHAT',
  'TENSORS',
  'MODELS',
  'SAME',
  'AND',
  'OR',
];
export const tag: Parser<Filter> = alt(
  map(seq(word('CONTAINS', 'HAVE', 'WITH'), tagName, word('TAG')), ([, name]) => ({ tag: name }), 0.2),
  map(
    seq(opt(word('HAVE', 'CONTAINS')), word('TAG'), opt(word('WITH', 'AS', 'EQUALS', 'IS')), anyName),
    ([, , , name]) => ({ tag: name }),
    0.2,
  ),
  map(seq(tagName, word('TAG')), ([name]) => ({ tag: name }), 0.5),
  map(seq(word('NOT'), word('TAG')), () => ({ isTagged: false })),
  map(word('UNTAGGED'), () => ({ isTagged: false })),
  // "tagged a and b", "tagged a but not b"
  map(
    seq(
      opt(word('HAVE', 'CONTAINS')),
      word('TAG'),
      opt(word('WITH', 'AS', 'EQUALS', 'IS')),
      anyName,
      word('AND'),
      opt(word('TAG')),
      anyName,
    ),
    ([, , , first, , , second]) => ({ allTags: [first, second] }),
    0.4,
  ),
  map(
    seq(
      opt(word('HAVE', 'CONTAINS')),
      word('TAG'),
      opt(word('WITH', 'AS', 'EQUALS', 'IS')),
      anyName,
      opt(word('COMMA')),
      word('BUT', 'AND'),
      word('NOT'),
      opt(word('TAG')),
      anyName,
    ),
    ([, , , first, , , , , second]) => ({ tag: first, unless: [{ tag: second }] }),
    0.4,
  ),
  map(
    seq(word('NOT'), word('TAG'), opt(word('WITH', 'AS', 'EQUALS', 'IS')), anyName),
    ([, , , name]) => ({ unless: [{ tag: name }] }),
    0.4,
  ),
  // "带 a 标签但不带 b 标签"
  map(
    seq(
      word('CONTAINS', 'HAVE', 'WITH', 'TAG'),
      tagName,
      word('TAG'),
      word('BUT', 'AND'),
      word('NOT'),
      tagName,
      word('TAG'),
    ),
    ([, first, , , , second]) => ({ tag: first, unless: [{ tag: second }] }),
    0.4,
  ),
  // "tagged a or b"
  map(
    seq(
      opt(word('HAVE', 'CONTAINS')),
      word('TAG'),
      opt(word('WITH', 'AS', 'EQUALS', 'IS')),
      opt(word('EITHER')),
      anyName,
      many(
        map(seq(opt(word('COMMA')), word('OR'), opt(word('TAG')), anyName), ([, , , name]) => name),
        1,
      ),
    ),
    ([, , , , first, rest]) => ({ anyTag: [first, ...rest] }),
    0.2,
  ),
);

export const made: Parser<Filter> = alt(
  map(seq(opt(word('CREATED')), word('MADE_BY'), modelName), ([, , madeBy]) => ({ madeBy })),
  map(seq(opt(word('CREATED')), word('MADE_FROM'), tensorName), ([, , madeFrom]) => ({ madeFrom })),
  // "aus X erzeugt", "由 X 生成"
  map(seq(word('MADE_BY'), modelName, word('MADE_BY', 'CREATED')), ([, madeBy]) => ({ madeBy })),
  map(seq(word('MADE_FROM'), tensorName, word('MADE_FROM', 'CREATED')), ([, madeFrom]) => ({ madeFrom })),
);

export const modelTraits: Parser<Filter> = alt(
  map(seq(word('NOT'), opt(word('OF')), word('PYTHON')), () => ({ unless: [{ language: 'python' as const }] })),
  map(seq(word('NOT'), opt(word('OF')), word('JAVASCRIPT')), () => ({ unless: [{ language: 'javascript' as const }] })),
  map(seq(contains, word('CODE')), () => ({ hasCode: true })),
  map(seq(contains, word('WEIGHTS')), () => ({ hasWeights: true })),
  map(seq(contains, word('NOT'), opt(word('OF')), word('CODE')), () => ({ hasCode: false })),
  map(seq(contains, word('NOT'), opt(word('OF')), word('WEIGHTS')), () => ({ hasWeights: false })),
  map(seq(word('NOT'), contains, opt(word('OF')), word('CODE')), () => ({ hasCode: false })),
  map(seq(word('NOT'), contains, opt(word('OF')), word('WEIGHTS')), () => ({ hasWeights: false })),
  map(word('RUNNABLE'), () => ({ hasCode: true })),
  // "models that use np.clip", "whose code contains sqrt"
  map(seq(alt(word('USES_CODE'), seq(word('CODE'), word('CONTAINS'))), openWord), ([, codeContains]) => ({
    codeContains,
  })),
  map(
    seq(contains, openWord, word('OF'), many(word('IT', 'FILLER')), word('CODE')),
    ([, codeContains]) => ({ codeContains }),
    0.5,
  ),
  map(seq(word('ONLY'), contains, word('WEIGHTS')), () => ({ hasWeights: true, hasCode: false })),
  map(seq(contains, word('ONLY'), word('WEIGHTS')), () => ({ hasWeights: true, hasCode: false })),
  map(seq(contains, word('ONLY'), word('CODE')), () => ({ hasCode: true, hasWeights: false })),
  map(seq(opt(word('OF')), word('PYTHON'), opt(word('CODE'))), () => ({ language: 'python' as const })),
  map(seq(opt(word('OF')), word('JAVASCRIPT'), opt(word('CODE'))), () => ({ language: 'javascript' as const })),
);
