import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const adminInstall = defineTool({
  name: 'atoll_admin_install',
  title: 'Install Python or a model',
  description:
    'Downloads and checks Python with its packages, text recognition or a model for embeddings, and reports progress meanwhile.',
  input: z.object({
    what: z.string().min(1).describe('"python", "ocr", or the name of a model that atoll_admin_setup gave'),
  }),
  output: z.object({ installed: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  errors: ['UNKNOWN_COMPONENT', 'INSTALL_FAILED'],
  run: ({ what }, { service, signal, progress }) => service.setup.install(what, { signal, onProgress: progress }),
});
