import { isObject } from '@atoll-mcp/core';
import type { ProgramCaller } from './program.ts';
import type { Decision, PlannedWrite } from './write-plan.ts';

/** Arguments are truncated beyond this, with a count of the rest. */
const MAX_ARGUMENTS = 2_000;

/** Asks the caller's user to confirm the list of writes. */
export async function confirmByElicitation(writes: readonly PlannedWrite[], { ask }: ProgramCaller): Promise<Decision> {
  const answer = await ask?.('elicitation/create', { message: messageOf(writes), requestedSchema: FORM });
  const { action, content } = answer ?? {};
  if (action !== 'accept' || !isObject(content)) return { isConfirmed: false, further: false };
  return { isConfirmed: content.confirm === true, further: content.further === true };
}

const FORM = {
  type: 'object',
  properties: {
    confirm: { type: 'boolean', title: 'Make these calls', default: false },
    further: {
      type: 'boolean',
      title: 'Also later calls of the same tools in this program, whatever their arguments',
      default: false,
    },
  },
  required: ['confirm'],
};

function messageOf(writes: readonly PlannedWrite[]): string {
  const lines = writes.map((write, index) => `${index + 1}. ${write.tool} ${shown(write.arguments)}`);
  const calls =
    writes.length === 1 ? 'a call that may change something' : `${writes.length} calls that may change something`;
  return `A program wants to make ${calls}:\n${lines.join('\n')}`;
}

function shown(args: unknown): string {
  const text = JSON.stringify(args);
  if (text.length <= MAX_ARGUMENTS) return text;
  return `${text.slice(0, MAX_ARGUMENTS)}… (${text.length - MAX_ARGUMENTS} more characters)`;
}
