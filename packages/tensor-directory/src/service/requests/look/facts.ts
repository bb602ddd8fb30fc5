import { bytesOf, countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { tensorRef } from '../../../domain/plan.ts';
import type { Concept } from '../../../domain/prompt/english.ts';
import { alt, many, map, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { tagsText } from '../compare/check.ts';
import type { RequestKind } from '../kind.ts';

const FACTS = ['elements', 'dimensions', 'bytes', 'rows', 'columns', 'tags', 'versions'] as const;
type Fact = (typeof FACTS)[number];
const step = z.strictObject({
  do: z
    .literal('facts')
    .describe('Number of values, axes, rows or columns, size in bytes, tags or versions of a tensor'),
  tensor: tensorRef,
  fact: z.enum(FACTS),
});
type Facts = z.output<typeof step>;

const CONCEPTS: readonly (readonly [Concept, Fact])[] = [
  ['ELEMENTS', 'elements'],
  ['DIMENSIONS', 'dimensions'],
  ['BYTES', 'bytes'],
  ['ROW', 'rows'],
  ['COLUMN', 'columns'],
  ['TAG', 'tags'],
  ['VERSIONS', 'versions'],
];
const factsOf = (tensor: Facts['tensor'], fact: Fact): Facts[] => [{ do: 'facts', tensor, fact }];
const asked = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE', 'EXIST'));
const linking = many(word('DOES', 'HAVE', 'IS', 'OF', 'TAKE', 'EXIST'));

const counted: Parser<Fact> = alt(
  ...CONCEPTS.filter(([, fact]) => fact !== 'tags' && fact !== 'versions').map(([concept, fact]) =>
    map(word(concept), () => fact),
  ),
);
const clause: Parser<readonly Facts[]> = alt(
  // "how many rows and columns does X have"
  map(
    seq(
      asked,
      word('HOW_MANY'),
      counted,
      word('AND'),
      opt(word('HOW_MANY')),
      counted,
      linking,
      tensorRefs,
      many(word('HAVE', 'TAKE', 'IS', 'EXIST', 'OF', 'CONTAINS')),
    ),
    ([, , first, , , second, , tensor]) =>
      first === second ? undefined : [...factsOf(tensor, first), ...factsOf(tensor, second)],
  ),
  map(
    seq(tensorRefs, linking, word('HOW_MANY'), counted, many(word('AND', 'HOW_MANY'), 1), counted),
    ([tensor, , , first, , second]) =>
      first === second ? undefined : [...factsOf(tensor, first), ...factsOf(tensor, second)],
  ),
  map(seq(word('HOW_IS'), tensorRefs, word('TAG')), ([, tensor]) => factsOf(tensor, 'tags')),
  map(seq(asked, word('SIZE'), word('OF'), tensorRefs, word('OF'), word('BYTES')), ([, , , tensor]) =>
    factsOf(tensor, 'bytes'),
  ),
  map(seq(word('HOW_MANY'), word('MEMORY'), linking, tensorRefs, linking), ([, , , tensor]) =>
    factsOf(tensor, 'bytes'),
  ),
  map(seq(word('HOW_BIG'), linking, tensorRefs, word('BY_MEMORY')), ([, , tensor]) => factsOf(tensor, 'bytes')),
  map(seq(word('HOW_BIG'), linking, tensorRefs, word('OF'), word('BYTES', 'MEMORY')), ([, , tensor]) =>
    factsOf(tensor, 'bytes'),
  ),
  ...CONCEPTS.flatMap(([concept, fact]) => {
    const noun = fact === 'bytes' ? seq(opt(word('DETAILS')), opt(word('OF')), word(concept)) : word(concept);
    const numbers: Parser<readonly Facts[]>[] = [
      map(
        seq(
          asked,
          word('HOW_MANY'),
          noun,
          linking,
          tensorRefs,
          many(word('HAVE', 'TAKE', 'IS', 'EXIST', 'OF', 'CONTAINS')),
        ),
        ([, , , , tensor]) => factsOf(tensor, fact),
      ),
      map(seq(tensorRefs, linking, word('HOW_MANY'), noun), ([tensor]) => factsOf(tensor, fact)),
    ];
    const plain: Parser<readonly Facts[]>[] =
      fact === 'tags' || fact === 'versions'
        ? [
            map(seq(asked, word(concept), linking, tensorRefs, many(word('HAVE', 'IS', 'EXIST'))), ([, , , tensor]) =>
              factsOf(tensor, fact),
            ),
            map(seq(tensorRefs, linking, many(word('WHAT')), word(concept), many(word('IS', 'WHAT'))), ([tensor]) =>
              factsOf(tensor, fact),
            ),
          ]
        : [];
    const one: Parser<readonly Facts[]>[] =
      fact === 'elements' || fact === 'dimensions'
        ? [
            map(seq(asked, word(concept), word('OF'), tensorRefs), ([, said, , tensor]) =>
              /^(length|number of|element count|rank|ndim|dimensionality|anzahl|rang|número de|nombre)/i.test(said.text)
                ? factsOf(tensor, fact)
                : undefined,
            ),
          ]
        : [];
    return [...numbers, ...plain, ...one];
  }),
);

export const facts: RequestKind<Facts> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor, fact }, context) {
    const parts = await context.resolve(tensor);
    const lines: string[] = [];
    for (const part of parts) {
      const { dtype } = part.item.values;
      const shape = context.shapeOf(part);
      const text = {
        elements: () => `has ${countOf(shape)} element(s)`,
        dimensions: () => `has ${shape.length} dimension(s)`,
        bytes: () => `takes ${bytesOf(dtype, shape)} byte(s)`,
        rows: () => linesText(shape, 0),
        columns: () => linesText(shape, 1),
        tags: () => tagsText(part.item.tags),
        versions: async () => versionsText(await context.versions(part.item.name)),
      }[fact];
      lines.push(`${context.titleOf(part)} ${await text()}.`);
    }
    return { sentence: lines.join('\n'), tensors: parts.map((part) => part.item) };
  },
};

function linesText(shape: readonly number[], axis: 0 | 1): string {
  if (shape.length === 2) return `has ${shape[axis]} ${axis === 0 ? 'row' : 'column'}(s)`;
  return `has the shape ${shapeText(shape)}, so it has no rows and columns`;
}

function versionsText(versions: readonly { version: number; uuid: string }[]): string {
  return `has ${versions.length} version(s): ${versions.map(({ version, uuid }) => `@${version} (UUID: ${uuid})`).join(', ')}`;
}
