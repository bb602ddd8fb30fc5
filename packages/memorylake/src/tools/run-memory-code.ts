import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { contentOf, keepInput, madeFileOutput, showMadeFile } from '../schemas.ts';

export const runMemoryCode = defineTool({
  name: 'run_memory_code',
  title: 'Run code on files',
  description: `Runs code in an executor and returns what it printed, or its error with traceback: always print() results. Python 3 has pandas, numpy, openpyxl, xlrd, scipy, scikit-learn and xgboost, no matplotlib: for charts use chart_memory_tables. get_memory_path(memory_id, memory_name) is the read-only path of a memory's file: pd.read_excel(get_memory_path("ds-…", "sales.xlsx")). get_memory_tables(memory_id) gives its tables as pandas frames by name, typed as in query_memory_tables. Repeat imports in each call; variables stay. Files written into out/ come back with the answer; keep puts them into the lake too. JavaScript has readText(path), readBytes(path), writeText("out/a.csv", text) and writeBytes(path, bytes).`,
  keywords:
    'execute Python or JavaScript, pandas, data analysis, statistics, regression, machine learning; script, compute, calculate',
  input: z.object({
    executor_id: z.string().min(1).max(80).describe('Id from create_memory_code_runner'),
    code: z.string().min(1).max(262_144).describe('Complete code'),
    timeout_ms: z.int().min(100).max(600_000).optional().describe('Longest run time; default 30000'),
    ...keepInput,
  }),
  output: z.object({
    executor_id: z.string(),
    success: z.boolean().describe('Whether the code ran to its end'),
    output: z.string().describe('What was printed, also before an error'),
    stderr: z.string(),
    error: z
      .object({
        kind: z.string().describe('exception, timeout, memory, output, crashed, interrupted or refused'),
        message: z.string(),
        traceback: z.string().optional(),
      })
      .optional(),
    truncated: z.boolean().describe('Whether more was printed than is shown'),
    duration_ms: z.number(),
    state_preserved: z.boolean().describe('Whether variables of earlier calls are still there'),
    files: z.array(madeFileOutput).optional().describe('What the code wrote into out/; left out when nothing'),
    refused_files: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe('Files of out/ that were not taken, such as links or too large ones'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['EXECUTOR_NOT_FOUND', 'EXECUTOR_CLOSED', 'EXECUTOR_EXPIRED', 'EXECUTOR_KILLED', 'COLLECTION_NOT_FOUND'],
  async run({ executor_id, code, timeout_ms: timeoutMs, keep, collection }, { service, signal, attach, progress }) {
    const onPrinted = (message: string, characters: number) => progress({ progress: characters, message });
    const options = { signal, onPrinted, keep, collection, ...(timeoutMs && { timeoutMs }) };
    const run = await service.code.run(executor_id, code, options);
    for (const content of contentOf(run.files)) attach(content);
    return {
      executor_id,
      success: run.ok,
      output: run.stdout,
      stderr: run.stderr,
      ...(run.error && { error: run.error }),
      truncated: run.truncated,
      duration_ms: run.durationMs,
      state_preserved: run.statePreserved,
      ...(run.files.length > 0 && { files: run.files.map(showMadeFile) }),
      ...(run.refusedFiles.length > 0 && { refused_files: [...run.refusedFiles] }),
    };
  },
});
