// What the contract layer adds to a tool's own handler, in process: µs per call above calling the handler directly.
import { callTool, plain, ToolError, toolsFor } from '@atoll-mcp/core';
import { z } from 'zod';

const CALLS = 50_000;
const tool = toolsFor()({
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number(), label: z.string().default('sum') }),
  output: z.object({ sum: z.number(), label: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: async ({ a, b, label }) => ({ sum: a + b, label }),
});
const contract = {
  name: 'bench',
  title: 'Bench',
  version: '0.0.0',
  description: '',
  instructions: '',
  envelope: plain,
  failures: { invalidInput: () => new ToolError('I', ''), internal: () => new ToolError('X', '') },
  tools: [tool],
};
const log = { debug() {}, info() {}, warn() {}, error() {} };
const context = {
  service: {},
  signal: new AbortController().signal,
  client: { id: 'b' },
  log,
  now: () => new Date(),
  progress() {},
};

const direct = await time(() => tool.run({ a: 1, b: 2, label: 'sum' }, context));
const through = await time(() => callTool(contract, tool, { a: 1, b: 2 }, context));
const added = through - direct;
console.log(
  JSON.stringify({
    bench: 'core/call-tool',
    direct_us: direct,
    call_tool_us: through,
    added_us: added,
    target_us: 30,
    holds: added <= 30,
  }),
);

async function time(run) {
  for (let i = 0; i < 5_000; i++) await run();
  const started = performance.now();
  for (let i = 0; i < CALLS; i++) await run();
  return Number((((performance.now() - started) * 1000) / CALLS).toFixed(2));
}
