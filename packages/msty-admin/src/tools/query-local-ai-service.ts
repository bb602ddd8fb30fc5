import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, codes } from '../schemas.ts';

export const queryLocalAiService = defineTool({
  name: 'query_local_ai_service',
  title: 'Query the Local AI service',
  description:
    'Sends one request to the Local AI service and returns its JSON. Paths that download, change or delete models are refused.',
  keywords: 'raw HTTP request to the local API',
  input: z.object({
    endpoint: z.string().min(1).max(2000).default('/v1/models').describe('Path on the service'),
    method: z.enum(['GET', 'POST']).default('GET').describe('HTTP method'),
    request_body: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('JSON body for POST, as object or text'),
  }),
  output: z.object({
    endpoint: z.string(),
    method: z.string(),
    port: z.int(),
    status: z.int(),
    response: z.unknown(),
  }),
  annotations: asksModel,
  errors: [...codes.input, ...codes.service, 'VALIDATION_ERROR'],
  run: ({ endpoint, method, request_body }, { service, signal }) =>
    service.services.query(endpoint, method, request_body, signal),
});
