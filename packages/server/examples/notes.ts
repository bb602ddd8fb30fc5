import { type Contract, plain, ToolError, toolsFor } from '@atoll-mcp/core';
import { createServer, defineConfig, runCli } from '@atoll-mcp/server';
import { z } from 'zod';

const notes: string[] = [];
const service = {
  add: (text: string) => notes.push(text),
  find(word: string) {
    const found = notes.filter((note) => note.includes(word));
    if (found.length === 0) throw new ToolError('NOTHING_FOUND', `No note contains "${word}"; try a shorter word.`);
    return found;
  },
};
const defineTool = toolsFor<typeof service>();

const addNote = defineTool({
  name: 'add_note',
  title: 'Add a note',
  description: 'Keeps a note and returns its number. Use it for anything worth finding again.',
  input: z.object({ text: z.string().min(1).describe('What to keep') }),
  output: z.object({ number: z.int() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [],
  run: ({ text }, { service }) => ({ number: service.add(text) }),
});

const findNotes = defineTool({
  name: 'find_notes',
  title: 'Find notes',
  description: 'Returns every note that contains a word.',
  input: z.object({ word: z.string().describe('The word to look for') }),
  output: z.object({ notes: z.array(z.string()) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOTHING_FOUND'],
  run: ({ word }, { service }) => ({ notes: service.find(word) }),
});

const contract: Contract<typeof service> = {
  name: 'notes',
  title: 'Notes',
  version: '0.1.0',
  description: 'Keeps notes in memory.',
  instructions: 'Add notes with add_note, find them again with find_notes.',
  envelope: plain,
  failures: {
    invalidInput: (issues) => new ToolError('INVALID', issues.map((issue) => issue.message).join('; ')),
    internal: () => new ToolError('INTERNAL', 'Something went wrong inside.'),
  },
  tools: [addNote, findNotes],
};

await runCli({
  definition: defineConfig({ program: 'notes', prefix: 'NOTES', defaultPort: 7400, shape: {} }),
  version: contract.version,
  description: contract.description,
  create: () => createServer(contract, { service }),
});
