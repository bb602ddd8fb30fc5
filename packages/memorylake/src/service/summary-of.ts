import type { Logger } from '@atoll-mcp/core';
import type { Summariser } from '../backends/interface.ts';
import { noticesOf } from '../domain/summarise.ts';
import type { ReadFile } from './file-parts.ts';

const OPENING = 6_000;

/** The summary by the summariser, or the extracted one if there is none or it fails. */
export async function summaryOf(
  { name, outcome, chunks }: ReadFile,
  { summariser, log }: { readonly summariser: Summariser | undefined; readonly log: Logger },
  signal: AbortSignal,
): Promise<string> {
  if (!summariser) return outcome.summary;
  const opening = chunks
    .slice(0, 12)
    .map(({ text }) => text)
    .join('\n')
    .slice(0, OPENING);
  try {
    const summary = await summariser.summarise({ name, facts: outcome.summary, opening }, signal);
    return [...noticesOf(outcome.facts), summary].join(' ');
  } catch (error) {
    log.warn('summary endpoint failed, extracted summary used', { error });
    return outcome.summary;
  }
}
