import type { Prompt } from '@atoll-mcp/core';
import type { Lake } from '../service/limits/lake.ts';

/** Asks for an answer that rests on the files alone, each claim with its place. */
export const answerFromMyFiles: Prompt<Lake> = {
  name: 'answer_from_my_files',
  title: 'Answer from my files, with citations',
  description: 'Answers a question from the files of the lake only, and cites file and place for each claim',
  arguments: [{ name: 'question', description: 'What to answer', required: true }],
  async get({ question = '' }) {
    return [
      {
        role: 'user',
        content: {
          type: 'text',
          text: [
            `Question: ${question}`,
            '',
            'Answer it from the files of my lake and from nothing else.',
            '1. Call search_memory. Try other words if the first results do not fit; judge each result, a match is not yet an answer.',
            '2. Read around a passage with read_memory before you rely on it.',
            '3. Compute figures with query_memory_tables (SQL) or create_memory_code_runner and run_memory_code (pandas); never by eye.',
            '4. After each claim cite the file and the place in brackets, for example [report.pdf, page 3] or [sales.xlsx, sheet Q3, rows 2–40].',
            '5. Where the files do not say, say so.',
          ].join('\n'),
        },
      },
    ];
  },
};
