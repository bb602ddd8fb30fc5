import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

const call = z.object({
  tool: z.string(),
  ms: z.number(),
  outcome: z
    .enum(['ok', 'error', 'fault', 'refused', 'cancelled'])
    .describe('error: the tool failed; fault: no answer; refused: not sent; cancelled: sent, answer not awaited'),
  count: z.int().optional().describe('Many calls are listed by tool and outcome; ms is then their sum'),
});
const trace = {
  output: z.string().describe('What the program printed'),
  program: z.int().describe('Its number, by which the activity lists its calls'),
  calls: z.array(call),
  calls_total: z.int(),
};

export const runTools = defineTool({
  name: 'run_tools',
  title: 'Run a program that calls tools',
  description:
    'Runs a program in a sandbox in which every tool is a function: `const hits = await tools.search_memory({query: "tides"}); return hits.n` in JavaScript, `tools.search_memory(query="tides")` in Python. Use it for many calls, loops, joins and large results: only what the program prints and returns comes back. Promise.all makes calls at the same time; a failed call throws with the tool\'s message. There are no files, network or timers. Object.keys(tools) and dir(tools) give all names; search_tools finds tools, describe_tool with as: "typescript" gives their types.',
  input: z.object({
    code: z
      .string()
      .min(1)
      .max(262_144)
      .optional()
      .describe('The program; its value is what it returns, or its last expression'),
    language: z.enum(['javascript', 'python']).default('javascript').describe('Python has pandas, where it is set up'),
    timeout_ms: z
      .int()
      .min(100)
      .max(600_000)
      .default(60_000)
      .describe('Longest running time, without waiting for people'),
    plan_id: z.string().min(1).optional().describe('Confirms the writing calls of a plan that an earlier answer holds'),
    further: z
      .boolean()
      .default(false)
      .describe('With plan_id: also confirms later calls of the same tools in this program, whatever their arguments'),
  }),
  output: z.object({
    result: z.unknown().describe('The value of the program; a large one as its head, shape and result_id'),
    ...trace,
    output_truncated: z.boolean().optional(),
    note: z.string().optional().describe('That the program returned and printed nothing'),
    plan: z
      .object({
        id: z.string(),
        writes: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
        next: z.string(),
      })
      .optional()
      .describe('The program is paused: these calls may change something and wait to be confirmed'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  errors: [
    'PROGRAM_FAILED',
    'PROGRAM_TIMEOUT',
    'NO_SANDBOX',
    'BUSY',
    'NOT_ENABLED',
    'UNKNOWN_PLAN',
    'INVALID_ARGUMENTS',
  ],
  envelope: {
    failure: z.object({
      error: z.string(),
      traceback: z.string().optional(),
      output: trace.output.optional(),
      program: trace.program.optional(),
      calls: trace.calls.optional().describe('Calls that were made before'),
      calls_total: trace.calls_total.optional(),
    }),
    fail: ({ message, details }) => ({ error: message, ...details }),
  },
  run: (input, { service, request }) => service.runTools(input, request),
});
