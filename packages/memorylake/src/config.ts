import { type Config, defineConfig } from '@atoll-mcp/server';
import { z } from 'zod';
import { defaultLimits } from './domain/document.ts';
import { collectionName } from './schemas.ts';

const MEBIBYTE = 2 ** 20;

export const configDefinition = defineConfig({
  program: 'memorylake',
  prefix: 'MEMORYLAKE',
  defaultPort: 7414,
  shape: {
    embed: z.boolean().default(true).describe('Search by meaning besides words; --no-embed leaves it out, for speed'),
    embedWorkers: z.int().min(1).max(64).default(2).describe('Threads that compute vectors'),
    importRoot: z.array(z.string().min(1)).default([]).describe('Folder that add_memory may take files from by path'),
    folders: z
      .array(
        z.strictObject({
          path: z.string().min(1),
          collection: collectionName.optional(),
          include: z.array(z.string().min(1)).optional(),
          exclude: z.array(z.string().min(1)).optional(),
        }),
      )
      .default([])
      .describe('Folders to keep in step with: a list of {path, collection?, include?, exclude?}'),
    publicUrl: z.url().optional().meta({
      description: 'Address clients reach the server by, for download links',
      defaultText: 'where it listens',
    }),
    presignedTtlSeconds: z.int().min(1).max(604_800).default(900).describe('How long a download link is good for'),
    keepVersions: z.int().min(0).max(1_000).default(10).describe('Former versions that are kept of each changed file'),
    maxFileMb: z
      .int()
      .min(1)
      .max(2_048)
      .default(defaultLimits.maxFileBytes / MEBIBYTE)
      .describe('Largest file that is read'),
    maxExpandedMb: z
      .int()
      .min(1)
      .max(16_384)
      .default(defaultLimits.maxExpandedBytes / MEBIBYTE)
      .describe('Most that a packed file may expand to'),
    maxRows: z.int().min(1).default(defaultLimits.maxRows).describe('Most rows that are read of a file'),
    maxPages: z.int().min(1).default(defaultLimits.maxPages).describe('Most pages that are read of a file'),
    ocrPages: z
      .int()
      .min(0)
      .max(100_000)
      .default(500)
      .describe('Most pages of a file whose text is recognised in pictures; 0 turns recognition off'),
    maxReadSeconds: z.int().min(1).default(defaultLimits.maxSeconds).describe('Most time that reading a file may take'),
    readers: z.int().min(1).max(32).default(2).describe('Processes that read files'),
    summaryUrl: z
      .url()
      .optional()
      .describe('OpenAI-compatible endpoint that writes summaries, such as http://127.0.0.1:11434/v1'),
    summaryModel: z.string().min(1).optional().describe('Model that writes summaries'),
    summaryApiKey: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Key for the summary endpoint', flag: false, secret: true }),
  },
});

export type MemoryLakeConfig = Config<typeof configDefinition>;
