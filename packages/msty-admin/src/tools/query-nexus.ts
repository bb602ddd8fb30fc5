import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, codes } from '../schemas.ts';

export const queryNexus = defineTool({
  name: 'query_nexus',
  title: 'Query Msty Nexus',
  description:
    'Sends one request to Msty Nexus, which may pass it to a remote provider, and returns its JSON, secrets redacted. Paths that download, change or delete models are refused.',
  keywords: 'raw HTTP request to the gateway API',
  input: z.object({
    path: z.string().min(1).max(2000).default('/v1/models').describe('Path on the gateway'),
    method: z.enum(['GET', 'POST']).default('GET').describe('HTTP method'),
    data: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('JSON body for POST, as object or text'),
  }),
  output: z.object({
    path: z.string(),
    method: z.string(),
    port: z.int(),
    status: z.int(),
    response: z.unknown(),
  }),
  annotations: { ...asksModel, openWorldHint: true },
  errors: [...codes.input, ...codes.service, 'VALIDATION_ERROR'],
  run: ({ path, method, data }, { service, signal }) => service.nexus.query(path, method, data, signal),
});
