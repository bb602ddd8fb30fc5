import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';

/** One call of a documented example. What one call answers can be put into the next by a function of the answers so far. */
export interface OriginalCall {
  readonly tool: string;
  readonly arguments: Record<string, unknown> | ((answers: readonly unknown[]) => Record<string, unknown>);
  /** The documented body; matchers such as `expect.any(String)` stand for what differs from run to run. */
  readonly answer: unknown;
  readonly isError?: boolean;
}

export interface OriginalExample {
  readonly title: string;
  readonly calls: readonly OriginalCall[];
}

/** Runs documented examples to the letter, each on a server of its own. */
export function originalSuite(
  name: string,
  connect: () => Promise<Client>,
  examples: readonly OriginalExample[],
): void {
  describe(`examples of ${name}`, () => {
    for (const { title, calls } of examples) {
      test(title, async () => {
        const client = await connect();
        try {
          await runCalls(client, calls);
        } finally {
          await client.close();
        }
      });
    }
  });
}

async function runCalls(client: Client, calls: readonly OriginalCall[]): Promise<void> {
  // A client that has listed the tools checks every answer against its schema.
  await client.listTools();
  const answers: unknown[] = [];
  for (const call of calls) {
    const args = typeof call.arguments === 'function' ? call.arguments(answers) : call.arguments;
    const { content, structuredContent, isError } = await client.callTool({ name: call.tool, arguments: args });
    const body = structuredContent ?? textOf(content);
    expect(unwrapped(body)).toEqual(call.answer);
    expect(isError ?? false).toBe(call.isError ?? false);
    answers.push(unwrapped(body));
  }
}

/** A sentence reaches 2025-era clients as `{ result }`. */
function unwrapped(body: unknown): unknown {
  const keys = body !== null && typeof body === 'object' ? Object.keys(body) : [];
  const result = (body as { result?: unknown })?.result;
  return keys.length === 1 && typeof result === 'string' ? result : body;
}

function textOf(content: readonly unknown[]): string | undefined {
  return (content[0] as { text?: string } | undefined)?.text;
}
