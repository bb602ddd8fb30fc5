import { type Contract, plain, ToolError, toolsFor } from '@atoll-mcp/core';
import { z } from 'zod';

export class Greeter {
  greet(name: string): string {
    if (name === 'nobody') throw new ToolError('NO_NAME', 'There is nobody to greet; give a name.');
    return `Hello, ${name}!`;
  }
}

const greet = toolsFor<Greeter>()({
  name: 'greet',
  title: 'Greet',
  description: 'Returns a greeting for a name.',
  input: z.object({ name: z.string().describe('Whom to greet') }),
  output: z.object({ greeting: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NO_NAME'],
  run: ({ name }, { service }) => ({ greeting: service.greet(name) }),
});

export const contract = {
  name: 'greeter',
  title: 'Greeter',
  version: '0.1.0',
  description: 'Greets people.',
  instructions: 'Call greet with a name.',
  envelope: {
    ...plain,
    failure: z.object({ code: z.string(), message: z.string() }),
    fail: ({ code, message }) => ({ code, message }),
  },
  failures: {
    invalidInput: (issues) => new ToolError('INVALID', issues.map(({ message }) => message).join('; ')),
    internal: () => new ToolError('INTERNAL', 'The greeter failed.'),
  },
  tools: [greet],
} satisfies Contract<Greeter>;
