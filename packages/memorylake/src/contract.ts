import type { Contract } from '@atoll-mcp/core';
import manifest from '../package.json' with { type: 'json' };
import { resultEnvelope } from './envelope.ts';
import { internalError, invalidInput } from './errors.ts';
import { answerFromMyFiles } from './prompts/answer-from-my-files.ts';
import { whatIsInHere } from './prompts/what-is-in-here.ts';
import { chartView } from './resources/chart-view.ts';
import { memoryResource } from './resources/memory.ts';
import { pageResource } from './resources/page.ts';
import { resultFile } from './resources/result-file.ts';
import { searchView } from './resources/search-view.ts';
import type { Lake } from './service.ts';
import { addMemory } from './tools/add-memory.ts';
import { chartMemoryTables } from './tools/chart-memory-tables.ts';
import { closeMemoryCodeRunner } from './tools/close-memory-code-runner.ts';
import { createMemoryCodeRunner } from './tools/create-memory-code-runner.ts';
import { deleteMemory } from './tools/delete-memory.ts';
import { diffVersions } from './tools/diff-versions.ts';
import { fetchMemory } from './tools/fetch-memory.ts';
import { forget } from './tools/forget.ts';
import { getMemorylakeMetadata } from './tools/get-memorylake-metadata.ts';
import { listCollections } from './tools/list-collections.ts';
import { listMemories } from './tools/list-memories.ts';
import { listVersions } from './tools/list-versions.ts';
import { queryMemoryTables } from './tools/query-memory-tables.ts';
import { readMemory } from './tools/read-memory.ts';
import { remember } from './tools/remember.ts';
import { runMemoryCode } from './tools/run-memory-code.ts';
import { searchMemory } from './tools/search-memory.ts';
import { similarMemories } from './tools/similar-memories.ts';
import { supersede } from './tools/supersede.ts';
import { updateCollection } from './tools/update-collection.ts';
import { updateMemory } from './tools/update-memory.ts';

export const contract = {
  name: 'memorylake',
  title: 'MemoryLake',
  version: manifest.version,
  description: 'A lake of documents that can be searched, cited and computed on',
  instructions:
    "Holds the user's files. Start with get_memorylake_metadata or search_memory; results carry the place to cite (page, sheet and rows, lines). Read around a passage with read_memory. For figures use query_memory_tables (SQL over sheets), chart_memory_tables for charts, or create_memory_code_runner once and run_memory_code with get_memory_path(id, name). A match is not yet an answer: judge it. remember stores what was learnt with its sources; a note that comes back with source_changed must be checked.",
  envelope: resultEnvelope,
  failures: {
    invalidInput: (issues) =>
      invalidInput(issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('; ')),
    internal: (cause) => internalError(cause),
  },
  tools: [
    getMemorylakeMetadata,
    searchMemory,
    fetchMemory,
    createMemoryCodeRunner,
    runMemoryCode,
    closeMemoryCodeRunner,
    addMemory,
    listMemories,
    readMemory,
    queryMemoryTables,
    chartMemoryTables,
    deleteMemory,
    listCollections,
    updateCollection,
    updateMemory,
    listVersions,
    diffVersions,
    similarMemories,
    remember,
    supersede,
    forget,
  ],
  resources: [memoryResource, pageResource, resultFile, searchView, chartView],
  prompts: [whatIsInHere, answerFromMyFiles],
} satisfies Contract<Lake>;
