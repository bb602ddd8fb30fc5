import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, scoreBasis, toWire } from '../schemas.ts';

export const identifyHandoffTriggers = defineTool({
  name: 'identify_handoff_triggers',
  title: 'Identify hand-off triggers',
  description:
    'Lists kinds of work that local models keep failing in calibration, and patterns you added, to hand to a stronger model. Can add a pattern.',
  keywords: 'when to use a bigger cloud LLM; weak spots, tasks too hard; escalate',
  input: z.object({
    analyse_recent: z.boolean().default(true).describe('Look at recent calibration tests'),
    add_pattern: z.string().min(1).max(2000).optional().describe('Pattern to remember'),
    pattern_type: z.string().min(1).max(100).optional().describe('Kind of add_pattern'),
  }),
  output: z.object({
    triggers: z.array(
      z.object({
        pattern: z.string(),
        type: z.string(),
        source: z.enum(['added', 'calibration']),
        failures: z.int().nullable(),
        models: z.array(z.string()),
        created_at: z.string().nullable(),
      }),
    ),
    tests_analysed: z.int(),
    added: z.boolean(),
    score_basis: scoreBasis,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [...codes.required, ...codes.files],
  async run({ analyse_recent, add_pattern, pattern_type }, { service }) {
    const found = await service.calibration.triggers({
      analyseRecent: analyse_recent,
      addPattern: add_pattern,
      patternType: pattern_type,
    });
    return { ...toWire(found), triggers: found.triggers.map(toWire) };
  },
});
