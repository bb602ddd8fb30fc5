import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memorySummary, showSummary } from '../schemas.ts';

export const getMemorylakeMetadata = defineTool({
  name: 'get_memorylake_metadata',
  title: 'Overview of the lake',
  description:
    'Returns how many files the lake holds, by type, and some of them with ids. Use it at the start of a session or when the user asks what files there are; list_memories gives all.',
  keywords: 'which documents, how many files are in the library; inventory, summary',
  input: z.object({}),
  output: z.object({
    total_files: z.int(),
    total_excel_files: z.int(),
    total_pdf_files: z.int(),
    total_txt_files: z.int(),
    sample_memories: z.array(memorySummary),
    total_processing_files: z.int().describe('Files still being read'),
    collections: z
      .array(z.object({ name: z.string(), description: z.string(), num_memories: z.int() }))
      .optional()
      .describe('How the files are grouped; left out while all are in one collection without a description'),
    folders: z
      .array(
        z.object({
          path: z.string(),
          collection: z.string().optional(),
          state: z
            .enum(['starting', 'reading', 'in_step', 'away'])
            .describe('away: the folder cannot be looked into now; nothing of it was removed'),
          num_files: z.int(),
          num_refused: z.int().describe('Files that could not be taken'),
        }),
      )
      .optional()
      .describe('Folders that the server keeps in step with; left out when there are none'),
    total_failed_files: z.int().describe('Files that could not be read; list_memories says why'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  async run(_, { service }) {
    const [{ ready, processing, failed, samples }, collections] = await Promise.all([
      service.overview(),
      service.collections(),
    ]);
    const folders = (service.folders?.status() ?? []).map(({ path, collection, state, files, refused }) => ({
      path,
      ...(collection !== undefined && { collection }),
      state,
      num_files: files,
      num_refused: refused,
    }));
    return {
      total_files: ready.excel_file + ready.pdf_file + ready.txt_file,
      total_excel_files: ready.excel_file,
      total_pdf_files: ready.pdf_file,
      total_txt_files: ready.txt_file,
      sample_memories: samples.map(showSummary),
      total_processing_files: processing,
      ...(isGrouped(collections) && {
        collections: collections.map(({ name, description, memories }) => ({
          name,
          description,
          num_memories: memories,
        })),
      }),
      ...(folders.length > 0 && { folders }),
      total_failed_files: failed,
    };
  },
});

const isGrouped = (collections: readonly { readonly description: string }[]): boolean =>
  collections.length > 1 || collections.some(({ description }) => description !== '');
