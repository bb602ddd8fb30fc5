import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const adminSetup = defineTool({
  name: 'atoll_admin_setup',
  title: 'What can be set up',
  description:
    'Says whether Python is ready for code, whether text in scans is recognised, and which models for embeddings are installed or can be.',
  input: z.object({}),
  output: z.object({
    python: z.object({
      state: z.enum(['ready', 'missing', 'installing', 'unavailable']).describe('"unavailable": not on this platform'),
      version: z.string().optional(),
      percent: z.number().optional(),
      step: z.string().optional(),
    }),
    ocr: z.object({
      installed: z.boolean().describe('Whether text in scans and pictures is recognised'),
      size_bytes: z.number().describe('What is downloaded'),
    }),
    models: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['embedding', 'reranker']),
        installed: z.boolean(),
        active: z.boolean().describe('Whether it is used when a call names none, from the next start on'),
        languages: z.array(z.string()),
        dimensions: z.int(),
        licence: z.string(),
        source: z.string(),
        size_bytes: z.number().describe('What is downloaded; 0 for what comes with Atoll'),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.setup.list(),
});
