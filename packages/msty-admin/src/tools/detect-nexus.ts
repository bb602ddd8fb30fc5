import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, toWire } from '../schemas.ts';

export const detectNexus = defineTool({
  name: 'detect_nexus',
  title: 'Detect Msty Nexus',
  description:
    'Says whether Msty Nexus, the local AI gateway, is installed and answers. Ollama may answer on its port; that does not count as Nexus.',
  keywords: 'is the gateway installed, running, reachable',
  input: z.object({}),
  output: z.object({
    installed: z.boolean(),
    paths: z.object({ app: z.string().nullable(), data: z.string().nullable() }),
    port: z.int(),
    available: z.boolean(),
    model_count: z.int(),
    problem: z.string().nullable().describe('Why it is not available'),
  }),
  annotations: looks,
  errors: codes.input,
  run: async (_, { service, signal }) => toWire(await service.nexus.detect(signal)),
});
