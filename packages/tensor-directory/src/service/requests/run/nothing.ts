import { z } from 'zod';
import type { RequestKind } from '../kind.ts';

const step = z.strictObject({ do: z.literal('nothing').describe('What must not be run is not run') });

/** Read where whole sentences are: "don't run M on x". */
export const nothing: RequestKind<z.output<typeof step>> = {
  step,
  clause: () => [],
  perform: async () => ({ sentence: 'Nothing was run.', tensors: [] }),
};
