import { isObject } from '@atoll-mcp/core';
import type { ProgramCaller } from './program.ts';
import type { Decision, PlannedWrite } from './write-plan.ts';

/** Arguments are truncated beyond this, with a count of the rest. */
const MAX_ARGUMENTS = 2_000;
/** Of one text in the arguments of a plan, which its caller's model reads. */
const MAX_TEXT = 500;

/** A write as a plan shows it: long texts and lists are cut, with a count of the rest. The call itself is made as it is. */
export function plannedWrite({ tool, arguments: args }: PlannedWrite): PlannedWrite {
  const text = JSON.stringify(args);
  if (text.length <= MAX_ARGUMENTS) return { tool, arguments: args };
  const short = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name.slice(0, MAX_TEXT), shortened(value)]),
  );
  const isShort = JSON.stringify(short).length <= MAX_ARGUMENTS;
  return { tool, arguments: isShort ? short : { arguments: shown(args) } };
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_TEXT ? value : cut(text, MAX_TEXT);
}

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
  return text.length <= MAX_ARGUMENTS ? text : cut(text, MAX_ARGUMENTS);
}

const cut = (text: string, max: number) => `${text.slice(0, max)}… (${text.length - max} more characters)`;
