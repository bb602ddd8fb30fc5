import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import {
  collectionName,
  memoryStatus,
  memoryType,
  organisedOutput,
  showOrganised,
  similarOutput,
  tagList,
} from '../schemas.ts';

/** From this similarity on, a file is reported as nearly identical to another. */
const NEARLY_THE_SAME = 0.7;

export const addMemory = defineTool({
  name: 'add_memory',
  title: 'Add a file',
  description:
    'Adds a file to the lake and waits until it is searchable, or says why it cannot be read: spreadsheets, CSV, PDF, Word, presentations, mails, images and scans (once set up), HTML, JSON, Markdown, text, and chats (JSON lines of role, text and time, or exports of ChatGPT, Claude, Slack or Telegram). In a collection the same bytes are one memory, and other bytes under the same name a new version. A large file may still be "processing"; list_memories shows when it is ready.',
  keywords: 'upload, ingest, index or put a document, PDF, Word or Excel file into the library; save a text',
  input: z.object({
    name: z.string().trim().min(1).max(255).describe('Filename with extension'),
    text: z.string().optional().describe('Content as text'),
    base64: z.string().optional().describe('Content of any file, as base64'),
    path: z.string().min(1).max(4_096).optional().describe('File on the server, in a folder given by --import-root'),
    collection: collectionName.optional().describe('Its collection, made if there is none; default "default"'),
    tags: tagList.optional().describe('Tags to find it by, in any case'),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    type: memoryType,
    status: memoryStatus,
    ...organisedOutput,
    vectors_pending: z.boolean().optional().describe('Found by its words already; vectors are still being made'),
    version: z.int().optional().describe('Number of the version; left out for the first one'),
    similar: z.array(similarOutput).optional().describe('Other files with nearly the same text'),
    duplicate_of: z.string().optional().describe('The memory that had these bytes already'),
    reason: z.string().optional().describe('Why it failed'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['NOTHING_TO_ADD', 'NOT_BASE64', 'IMPORT_REFUSED', 'FILE_UNREADABLE', 'TOO_LARGE', 'COLLECTION_NOT_FOUND'],
  async run(input, { service, signal, progress }) {
    const { memory, isDuplicate } = await service.addGiven(input, {
      signal,
      onProgress: ({ step, chunks, embedded, recognised }) =>
        recognised
          ? progress({ progress: recognised.done, total: recognised.pages, message: 'recognising pages' })
          : progress({ progress: embedded, ...(chunks > 0 && { total: chunks }), message: step }),
    });
    const isNew = !isDuplicate && service.statusOf(memory) === 'ready';
    const similar = isNew ? await service.similarTo(memory.id, NEARLY_THE_SAME) : [];
    return {
      id: memory.id,
      name: memory.name,
      type: memory.type,
      status: service.statusOf(memory),
      ...showOrganised(memory),
      ...(service.hasVectorsPending(memory) && { vectors_pending: true }),
      ...(memory.version !== undefined && { version: memory.version }),
      ...(similar.length > 0 && {
        similar: similar.map(({ memory: { id, name }, similarity }) => ({ id, name, similarity })),
      }),
      ...(isDuplicate && { duplicate_of: memory.id }),
      ...(memory.reason !== null && { reason: memory.reason }),
    };
  },
});
