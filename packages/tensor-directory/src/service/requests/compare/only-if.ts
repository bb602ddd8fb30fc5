import { z } from 'zod';
import { promptNotRead } from '../../../errors.ts';
import type { RequestKind } from '../kind.ts';

const most = z.int().min(0).max(20);
const step = z.strictObject({
  do: z
    .literal('only_if')
    .describe('Goes on only if the step before, a question of yes or no, is answered with yes; follows it at once'),
  steps: most.describe('How many of the steps behind this one are done only then'),
  otherwise: most.default(0).describe('How many of the steps behind those are done only if the answer is no'),
  not: z.boolean().optional().describe('Turns it round: only if the answer is no'),
});
export type OnlyIf = z.output<typeof step>;

/** Conditions are read where whole sentences are. */
export const onlyIf: RequestKind<OnlyIf> = {
  step,
  clause: () => [],
  async perform({ steps, otherwise, not }, context) {
    const asked = context.outcomes.at(-1);
    if (asked?.holds === undefined) throw promptNotRead('a condition must be a question of yes or no.');
    const isMet = asked.holds !== (not === true);
    const skipped = isMet ? { from: steps, count: otherwise } : { from: 0, count: steps };
    const isOver = !isMet && otherwise === 0;
    return { sentence: isOver ? 'Nothing more was done.' : '', tensors: asked.tensors, skipped };
  },
};
