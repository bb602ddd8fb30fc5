import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const createMemoryCodeRunner = defineTool({
  name: 'create_memory_code_runner',
  title: 'Open a code runner',
  description:
    'Creates a sandboxed execution environment and returns its executor_id. Use one per session for all run_memory_code calls; variables stay between calls.',
  keywords: 'start a Python or JavaScript session, sandbox, notebook, interpreter',
  input: z.object({
    language: z.enum(['python', 'javascript']).optional().describe('Default python (Python 3)'),
  }),
  output: z.object({ executor_id: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['CODE_UNAVAILABLE', 'RUNNER_BUSY'],
  async run({ language = 'python' }, { service }) {
    return { executor_id: await service.code.create(language) };
  },
});
