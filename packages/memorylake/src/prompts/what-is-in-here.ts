import type { Prompt } from '@atoll-mcp/core';
import type { Lake } from '../service/limits/lake.ts';

const SHOWN = 40;

/** Asks for a tour of the lake. */
export const whatIsInHere: Prompt<Lake> = {
  name: 'what_is_in_here',
  title: 'What is in here?',
  description: 'Describes the files of the lake and what could be asked of them',
  arguments: [],
  async get(_, { service }) {
    const { items, total } = await service.list({ status: 'ready', limit: SHOWN });
    const files = items.map(({ id, name, summary }) => `- ${name} (${id}): ${summary.slice(0, 300)}`);
    const more = total > items.length ? [`… and ${total - items.length} more; list_memories shows them.`] : [];
    const list =
      total === 0 ? ['The lake is empty. add_memory or "memorylake add" puts files into it.'] : [...files, ...more];
    return [
      {
        role: 'user',
        content: {
          type: 'text',
          text: [
            `These are the ${total} files of my lake:`,
            ...list,
            '',
            'Tell me what is in here: group the files by what they are about, say what each group could answer, and propose three questions worth asking.',
          ].join('\n'),
        },
      },
    ];
  },
};
