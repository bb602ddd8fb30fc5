import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const closeMemoryCodeRunner = defineTool({
  name: 'close_memory_code_runner',
  title: 'Close a code runner',
  description: 'Ends an executor and frees its memory; its variables are lost, files of the lake stay.',
  keywords: 'shut down, stop, quit or end the sandbox or Python session; release',
  input: z.object({ executor_id: z.string().min(1).max(80).describe('Id from create_memory_code_runner') }),
  output: z.object({ executor_id: z.string(), closed: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['EXECUTOR_NOT_FOUND', 'EXECUTOR_CLOSED', 'EXECUTOR_EXPIRED', 'EXECUTOR_KILLED'],
  async run({ executor_id }, { service }) {
    await service.code.close(executor_id);
    return { executor_id, closed: true };
  },
});
