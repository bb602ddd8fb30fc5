import { z } from 'zod';
import type { TensorItem } from '../../../backends/interface.ts';
import { tensorRef } from '../../../domain/plan.ts';
import { alt, many, map, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import type { PlanContext } from '../../plan-context.ts';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({
  do: z.literal('origin').describe('Which model made a tensor, and from what'),
  tensor: tensorRef,
});
type Origin = z.output<typeof step>;

const asked = many(word('SHOW', 'WHAT', 'IS', 'DOES', 'HAVE'));
const clause: Parser<readonly Origin[]> = alt(
  map(
    seq(
      asked,
      many(word('ORIGIN'), 1),
      many(word('OF', 'IS')),
      tensorRefs,
      many(word('ORIGIN', 'HAVE', 'PARTICLE', 'HOW_MADE')),
    ),
    ([, , , tensor]) => originOf(tensor),
  ),
  map(seq(asked, tensorRefs, many(word('OF', 'IS')), many(word('ORIGIN'), 1), many(word('IS', 'WHAT'))), ([, tensor]) =>
    originOf(tensor),
  ),
  map(
    seq(asked, many(word('HOW_MADE'), 1), tensorRefs, many(word('HOW_MADE', 'HAVE', 'CREATED'))),
    ([, said, tensor, after]) =>
      // "created X" alone says nothing; a question word is part of the phrases.
      said.some(({ text }) => / |^(wodurch|如何|怎么|由)/u.test(text)) || after.length > 0
        ? originOf(tensor)
        : undefined,
  ),
  // "welches Modell hat X erzeugt"
  map(
    seq(
      word('WHAT'),
      word('MODEL'),
      many(word('HAVE', 'HOW_MADE', 'MAKE'), 1),
      tensorRefs,
      many(word('HOW_MADE', 'MAKE')),
    ),
    ([, , said, tensor, after]) =>
      [...said, ...after].some(({ concepts }) => concepts.has('HOW_MADE') || concepts.has('MAKE'))
        ? originOf(tensor)
        : undefined,
  ),
  // "was X derived from another tensor or uploaded directly"
  map(
    seq(
      word('IS'),
      tensorRefs,
      many(word('HOW_MADE', 'CREATED', 'MADE_FROM', 'MADE_BY', 'EXIST')),
      word('DIRECTLY'),
      many(word('OR', 'HOW_MADE', 'CREATED', 'MADE_FROM', 'MADE_BY', 'EXIST', 'DIRECTLY')),
    ),
    ([, tensor]) => originOf(tensor),
  ),
  map(
    seq(
      word('IS'),
      tensorRefs,
      many(word('CREATED', 'EXIST')),
      word('OR'),
      many(word('HOW_MADE', 'CREATED', 'MADE_FROM', 'MADE_BY', 'DIRECTLY'), 1),
    ),
    ([, tensor]) => originOf(tensor),
  ),
  map(seq(tensorRefs, many(word('IS')), many(word('HOW_MADE'), 1)), ([tensor, , said]) =>
    said.some(({ text }) => /如何|怎么|哪个|什么/u.test(text)) ? originOf(tensor) : undefined,
  ),
);

function originOf(tensor: Origin['tensor']): Origin[] {
  return [{ do: 'origin', tensor }];
}

export const origin: RequestKind<Origin> = {
  step,
  clause,
  check: ({ tensor }, context) => context.checkRefs([tensor]),
  async perform({ tensor }, context) {
    const tensors = (await context.resolve(tensor)).map((part) => part.item);
    const lines: string[] = [];
    for (const item of tensors) lines.push(`Tensor '${item.name}' ${await originText(item, context)}.`);
    return { sentence: lines.join('\n'), tensors };
  },
};

export async function originText({ lineage, createdAt }: TensorItem, context: PlanContext): Promise<string> {
  if (!lineage) return `was not made by a model; it was stored on ${createdAt} (UTC)`;
  const inputs: string[] = [];
  for (const [key, uuid] of Object.entries(lineage.inputs)) {
    const item = await context.find(uuid, 'tensor');
    inputs.push(`${key} = ${item ? `'${item.name}'` : `a deleted tensor (UUID: ${uuid})`}`);
  }
  if (lineage.file !== undefined) return `was imported from the file '${lineage.file}' on ${createdAt} (UTC)`;
  const maker = lineage.modelName === undefined ? 'transform_tensor' : `model '${lineage.modelName}'`;
  return `was made by ${maker} from ${inputs.join(', ')} on ${createdAt} (UTC)`;
}
