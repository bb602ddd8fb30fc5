import { z } from 'zod';
import type { ToolError } from './errors.ts';

/** What an envelope can read about the call. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
  readonly now: () => Date;
}

/** The wire format of one server's results; nothing else knows it. */
export interface Envelope {
  /** Schema of a success body, built from the tool's own output schema. */
  success(output: z.ZodType): z.ZodType;
  ok(output: unknown, call: ToolCall): unknown;

  /** Schema of a failure body. A string body travels as text only. */
  readonly failure: z.ZodType;
  fail(error: ToolError, call: ToolCall): unknown;

  /** The output in a success body, for clients. Left out: the body is the output. */
  readOutput?(body: unknown): unknown;
}

/** The output as it is; a failure is its sentence. */
export const plain: Envelope = {
  success: (output) => output,
  ok: (output) => output,
  failure: z.string(),
  fail: (error) => error.message,
};
