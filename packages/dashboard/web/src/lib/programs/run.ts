import { callTool, failureOf, type Progress } from '../mcp.ts';
import type { ProgramLanguage } from './complete.ts';

export interface PlannedWrite {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ProgramAnswer {
  readonly result?: unknown;
  readonly output?: string;
  readonly output_truncated?: boolean;
  readonly program?: number;
  readonly note?: string;
  readonly plan?: { readonly id: string; readonly writes: readonly PlannedWrite[] };
  /** Why it failed; what it did before is in the other fields. */
  readonly error?: string;
  readonly traceback?: string;
}

export type ProgramStep =
  | { readonly code: string; readonly language: ProgramLanguage }
  | { readonly plan_id: string; readonly further: boolean };

/** Runs a program, or goes on with a paused one. Its writes come back as a plan, because the page does not say that it can be asked. */
export async function runProgram(
  step: ProgramStep,
  options: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<ProgramAnswer> {
  const result = await callTool('run_tools', { ...step }, { ...options, canBeAsked: false, isPersons: true });
  const body = (result.structuredContent ?? {}) as ProgramAnswer;
  return result.isError ? { ...body, error: body.error ?? failureOf(result) } : body;
}
