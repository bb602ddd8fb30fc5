import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { FINDING_KINDS, namePattern } from '../schemas.ts';

export const checkTensors = defineTool({
  name: 'check_tensors',
  title: 'Check tensors for faults',
  description:
    'Checks every value of all tensors, or those of a pattern, and returns what is wrong, worst first: NaN, infinities, exploded norms, all zero, ' +
    'zero rows, constants, denormals, and a dtype wider than needed.',
  keywords: 'find bad values in weights: NaN, Inf, corrupt, broken, dead; health of a checkpoint; validate',
  input: z.object({
    pattern: namePattern.describe('A name and all below it, or a pattern with *; default all tensors'),
    limit: z.int().min(1).max(1000).default(100).describe('Maximum findings to list'),
  }),
  output: z.object({
    checked: z.int(),
    without_findings: z.int(),
    size_bytes: z.int(),
    total_findings: z.int(),
    findings: z.array(
      z.object({
        name: z.string(),
        uuid: z.string(),
        kind: z.enum(FINDING_KINDS),
        count: z.int().describe('Values concerned; rows for dead_rows'),
        message: z.string(),
      }),
    ),
    message: z.string(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'TOO_MANY', 'STORAGE_FAILED'],
  async run({ pattern, limit }, { service, signal }) {
    const { checked, clean, bytes, findings, sentence } = await service.checkTensors(pattern, signal);
    return {
      checked,
      without_findings: clean,
      size_bytes: bytes,
      total_findings: findings.length,
      findings: findings.slice(0, limit).map(({ item, kind, count, message }) => ({
        name: item.name,
        uuid: item.uuid,
        kind,
        count,
        message,
      })),
      message: sentence,
    };
  },
});
