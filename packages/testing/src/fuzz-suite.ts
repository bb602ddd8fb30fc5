import { existsSync, readFileSync } from 'node:fs';
import type { Contract, Tool } from '@atoll-mcp/core';
import { envelopeOf, inputSchemaOf } from '@atoll-mcp/core';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ArgumentsOptions, argumentsFor } from './arguments-for.ts';

/** A call that once broke something, or that is awkward enough to be tried each time. */
export interface CorpusCall {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly why: string;
}

export interface FuzzSuiteOptions extends ArgumentsOptions {
  /** A client on a real server of its own that already holds something; whoever opens it sees that it is closed. */
  connect(): Promise<Client>;
  /** A JSON file of calls to repeat in every run. */
  readonly corpus: URL;
  /** Calls to each tool; `FUZZ_RUNS` in the environment overrides it for a long night. */
  readonly runs?: number;
}

const TIMEOUT_MS = 120_000;

/** Whatever is sent to a tool, its server answers in its own envelope, never crashes, and goes on. */
export function fuzzSuite<Service>(contract: Contract<Service>, { runs = 60, ...options }: FuzzSuiteOptions): void {
  describe(`${contract.name} under nonsense`, () => {
    for (const tool of contract.tools) {
      test(`${tool.name} answers in its envelope`, { timeout: TIMEOUT_MS }, async () => {
        const client = await options.connect();
        // A client that has listed the tools checks every answer against its schema.
        await client.listTools();
        const attempt = async (args: Record<string, unknown>) =>
          expectWorded(contract, tool, args, await client.callTool({ name: tool.name, arguments: args }));
        for (const call of corpusOf(options.corpus, tool.name)) await attempt(call.arguments);
        const args = argumentsFor(inputSchemaOf(tool), options);
        await fc.assert(fc.asyncProperty(args, attempt), {
          numRuns: Number(process.env.FUZZ_RUNS ?? runs),
          interruptAfterTimeLimit: TIMEOUT_MS / 2,
        });
      });
    }

    test('keeps no call of a tool that is gone', () => {
      const names = contract.tools.map(({ name }) => name);
      for (const { tool } of corpusOf(options.corpus)) expect(names).toContain(tool);
    });
  });
}

interface Answer {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

function expectWorded<Service>(contract: Contract<Service>, tool: Tool<Service>, args: unknown, answer: Answer): void {
  const body = answer.structuredContent ?? (answer.content[0] as { text: string }).text;
  const crash = contract.failures.internal(new Error('a crash'), { tool: tool.name, args });
  expect(JSON.stringify(body)).not.toContain(JSON.stringify(crash.message).slice(1, -1));
  if (!answer.isError) return;
  const { error } = envelopeOf(contract, tool).failure.safeParse(body);
  expect(error, JSON.stringify(body)).toBeUndefined();
  expect(JSON.stringify(body)).not.toMatch(/\bat .*\.(ts|js|mjs|py):\d+|node_modules|SQLITE_/);
}

function corpusOf(file: URL, tool?: string): readonly CorpusCall[] {
  if (!existsSync(file)) return [];
  const calls = JSON.parse(readFileSync(file, 'utf8')) as CorpusCall[];
  return tool === undefined ? calls : calls.filter((call) => call.tool === tool);
}
