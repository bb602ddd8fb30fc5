import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import {
  endOf,
  filterFrom,
  filterInput,
  memoryIds,
  memoryKind,
  memoryType,
  noteOutput,
  organisedOutput,
  placeOutput,
  showNote,
  showOrganised,
  validTime,
} from '../schemas.ts';

const words = z.array(z.string().max(400)).max(100);

export const searchMemory = defineTool({
  name: 'search_memory',
  title: 'Search the lake',
  description:
    'Searches all files and notes by words and by meaning. Each result has the memory id, name, a summary of what matched, a score and the best passages with their place (page, sheet and rows, lines, turn of a chat) to cite. Give parsed_query, or query with the question in any language.',
  keywords:
    'what do documents say about a topic; find a passage, quote, answer in files, PDFs, notes and chats; look up, ask, question, who, when, where',
  input: z
    .object({
      parsed_query: z
        .object({
          bm25_cleaned_query: z
            .string()
            .max(4_000)
            .describe('For keyword matching: no stop words or punctuation, technical terms intact'),
          named_entities: words.describe('People, organisations, places, products'),
          bm25_keywords: words.describe('Important keywords, with all named entities'),
          bm25_boost_keywords: words.describe('The 3-5 that count most: named entities and distinctive terms'),
          rewritten_query_for_dense_model: z
            .string()
            .max(4_000)
            .describe('For matching by meaning: the intent in full, with synonyms'),
        })
        .optional()
        .describe('The question in five parts; default made from query'),
      query: z.string().max(4_000).optional().describe('The question in plain words, instead of parsed_query'),
      limit: z.int().min(1).max(100).optional().describe('Maximum results; default 10'),
      type: memoryType.optional().describe('Only this type of file'),
      memory_ids: memoryIds.optional().describe('Only these memories'),
      kind: memoryKind.optional().describe('Only files, or only notes of remember'),
      as_of: validTime.optional().describe('Only notes that held on this ISO date (UTC) or at this time'),
      ...filterInput,
    })
    .meta({ examples: [{ query: 'What was decided in the last meeting?', limit: 5 }] }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        summary: z.string().describe('What of the memory matches'),
        type: memoryType,
        kind: memoryKind,
        note: noteOutput.optional().describe('Of a note: its text, sources and times'),
        ...organisedOutput,
        score: z.number().describe('Higher is better; comparable within one search'),
        snippets: z.array(z.object({ text: z.string(), place: placeOutput, chunk: z.int(), score: z.number() })),
      }),
    ),
    n: z.int().describe('How many memories match in total; more than returned when limit cut the list'),
    returned: z.int().describe('How many of them are in results'),
    mode: z.enum(['hybrid', 'keywords']).describe('Whether meaning was searched besides words'),
    notice: z.string().optional().describe('Present if the search was limited, with the reason'),
  }),
  meta: { ui: { resourceUri: 'ui://memorylake/search' } },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['EMPTY_QUERY', 'COLLECTION_NOT_FOUND', 'SEARCH_FAILED'],
  async run(
    { parsed_query: parsed, query, limit, type, memory_ids: memoryIds, kind, as_of: asOf, ...filter },
    { service, signal },
  ) {
    const parsedQuery = parsed && {
      bm25CleanedQuery: parsed.bm25_cleaned_query,
      namedEntities: parsed.named_entities,
      bm25Keywords: parsed.bm25_keywords,
      bm25BoostKeywords: parsed.bm25_boost_keywords,
      rewrittenQueryForDenseModel: parsed.rewritten_query_for_dense_model,
    };
    const { results, total, mode, notice } = await service.search({
      parsedQuery,
      query,
      limit,
      type,
      memoryIds,
      kind,
      asOfMs: asOf === undefined ? undefined : endOf(asOf),
      ...filterFrom(filter),
      signal,
    });
    return {
      results: results.map(({ memory, summary, score, passages, changes = [] }) => ({
        id: memory.id,
        name: memory.name,
        summary,
        type: memory.type,
        kind: memory.kind ?? ('file' as const),
        ...(memory.note && { note: showNote(memory.note, changes) }),
        ...showOrganised(memory),
        score,
        snippets: passages.map(({ text, place, chunk, score }) => ({ text, place, chunk, score })),
      })),
      n: total,
      returned: results.length,
      mode,
      ...(notice !== undefined && { notice }),
    };
  },
});
