import type { Content } from '@atoll-mcp/core';
import { z } from 'zod';
import { SHORT_TYPES } from './domain/charts/short-chart.ts';
import { cleanTags } from './domain/organise/memory-filter.ts';
import { pictureType } from './domain/results/media-type.ts';

export const memoryType = z.enum(['excel_file', 'pdf_file', 'txt_file']);
export const memoryStatus = z.enum(['processing', 'ready', 'failed']);

export const memoryId = z.string().min(1).max(80);
export const memoryIds = z.array(memoryId).min(1).max(200);

export const collectionName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, 'must be 1 to 64 letters, digits, spaces, ".", "_" or "-"');
export const tagList = z.array(z.string().trim().min(1).max(64)).max(50);

const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be a date such as 2025-03-01 or a time such as 2025-03-01T12:00:00Z',
});

/** Arguments that filter a list, a search or a query. */
export const filterInput = {
  collection: collectionName.optional().describe('Only this collection (see list_collections)'),
  tags: tagList.optional().describe('Only with all of these tags'),
  created_after: day.optional().describe('Only added since this ISO date (UTC) or time'),
  created_before: day.optional().describe('Only added before this ISO date (UTC) or time'),
};

/** The filter arguments as the service takes them. */
export const filterFrom = ({ collection, tags, created_after: after, created_before: before }: FilterArguments) => ({
  collection,
  tags: tags && cleanTags(tags),
  createdAfterMs: after === undefined ? undefined : Date.parse(after),
  createdBeforeMs: before === undefined ? undefined : Date.parse(before),
});

type FilterArguments = z.output<z.ZodObject<typeof filterInput>>;

export const placeOutput = z.object({
  page: z.int().optional().describe('Page, from 1'),
  boxes: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly())
    .readonly()
    .optional()
    .describe(
      'Where its lines stand: left, top, right, bottom from the top left, in points of the page or pixels of an image',
    ),
  slide: z.int().optional().describe('Slide, from 1'),
  part: z.string().optional().describe('Part beside the body, such as footnotes or an attachment'),
  headings: z.array(z.string()).readonly().optional().describe('Headings above it, the highest first'),
  paragraphs: z.tuple([z.int(), z.int()]).readonly().optional().describe('First and last paragraph, from 1'),
  sheet: z.string().optional().describe('Worksheet'),
  rows: z
    .tuple([z.int(), z.int()])
    .readonly()
    .optional()
    .describe('First and last row, as the spreadsheet counts them'),
  lines: z.tuple([z.int(), z.int()]).readonly().optional().describe('First and last line'),
  turn: z.int().optional().describe('Turn of a chat, from 1'),
  speaker: z.string().optional().describe('Who said it, in a chat'),
  time: z.string().optional().describe('When it was said, as the chat has it'),
  confidence: z
    .number()
    .optional()
    .describe(
      'Only for text recognised in a picture: how sure its least sure line is, 0 to 1. Below 0.9 check it against the original',
    ),
});

const firstAndLast = z.array(z.int().min(1)).length(2).optional();

/** A place as input. Without tuples, whose JSON Schema some clients reject. */
export const placeInput = z.strictObject({
  page: z.int().min(1).optional(),
  boxes: z.array(z.array(z.number()).length(4)).optional(),
  slide: z.int().min(1).optional(),
  part: z.string().optional(),
  headings: z.array(z.string()).optional(),
  paragraphs: firstAndLast,
  sheet: z.string().optional(),
  rows: firstAndLast,
  lines: firstAndLast,
  turn: z.int().min(1).optional(),
  speaker: z.string().optional(),
  time: z.string().optional(),
});

export const similarOutput = z.object({
  id: z.string(),
  name: z.string(),
  similarity: z.number().describe('Share of what both say that both say, 0 to 1'),
});

export const memoryKind = z.enum(['file', 'note']);

/** A date or a time. */
export const validTime = day;

/** The last moment of a day, or the time itself. */
export const endOf = (time: string): number => Date.parse(time) + (time.includes('T') ? 0 : 86_400_000 - 1);

const sourceOutput = z.object({
  memory_id: z.string(),
  name: z.string(),
  place: placeOutput.describe('Empty for the file as a whole'),
});

export const noteOutput = z.object({
  text: z.string(),
  valid_from: z.string().describe('Since when it holds'),
  valid_to: z.string().optional().describe('Until when it held; left out while it holds'),
  supersedes: z.string().optional().describe('The note it took the place of'),
  superseded_by: z.string().optional().describe('The note that took its place'),
  cites: z.array(sourceOutput.extend({ text: z.string().describe('What stood there') })),
  source_changed: z
    .array(
      sourceOutput.extend({
        former: z.string(),
        present: z.string().nullable().describe('What stands there now; null when the place or the file is gone'),
      }),
    )
    .optional()
    .describe('Sources whose text has changed since: check the note and supersede it'),
});

interface ShownSource {
  readonly memoryId: string;
  readonly memoryName: string;
  readonly place: z.input<typeof placeOutput>;
}

interface ShownNote {
  readonly text: string;
  readonly validFromMs: number;
  readonly validToMs: number | null;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly cites: readonly (ShownSource & { readonly text: string })[];
}

const CITED = 2_000;

export const showNote = (
  note: ShownNote,
  changes: readonly (ShownSource & { readonly former: string; readonly present: string | null })[],
): z.input<typeof noteOutput> => ({
  text: note.text,
  valid_from: new Date(note.validFromMs).toISOString(),
  ...(note.validToMs !== null && { valid_to: new Date(note.validToMs).toISOString() }),
  ...(note.supersedes !== undefined && { supersedes: note.supersedes }),
  ...(note.supersededBy !== undefined && { superseded_by: note.supersededBy }),
  cites: note.cites.map((cite) => ({ ...showSource(cite), text: cite.text.slice(0, CITED) })),
  ...(changes.length > 0 && {
    source_changed: changes.map((change) => ({
      ...showSource(change),
      former: change.former,
      present: change.present,
    })),
  }),
});

const showSource = ({ memoryId, memoryName, place }: ShownSource) => ({
  memory_id: memoryId,
  name: memoryName,
  place,
});

/** What lists show of a memory. */
export const memorySummary = z.object({
  id: z.string().describe('Memory id, for fetch_memory and get_memory_path()'),
  name: z.string().describe('Original filename'),
  type: memoryType,
  num_chunks: z.int(),
  num_figures: z.int(),
  num_tables: z.int(),
  sheet_names: z.array(z.string()).optional().describe('Worksheets (spreadsheets only)'),
});

export const organisedOutput = {
  collection: z.string().optional().describe('The collection it is in; left out for the default one'),
  tags: z.array(z.string()).optional().describe('Left out when it has none'),
};

export const showOrganised = ({ collection, tags = [] }: Pick<ShownMemory, 'collection' | 'tags'>) => ({
  ...(collection !== undefined && { collection }),
  ...(tags.length > 0 && { tags: [...tags] }),
});

export const listedMemory = memorySummary.extend({
  status: memoryStatus,
  reason: z.string().optional().describe('Why it failed'),
  size_bytes: z.int(),
  part_of: z.string().optional().describe('The mail that it is attached to'),
  ...organisedOutput,
});

interface ShownMemory {
  readonly id: string;
  readonly name: string;
  readonly type: z.infer<typeof memoryType>;
  readonly status: z.infer<typeof memoryStatus>;
  readonly reason: string | null;
  readonly sizeBytes: number;
  readonly partOf?: string;
  readonly collection?: string;
  readonly tags?: readonly string[];
  readonly chunks: number;
  readonly figures: number;
  readonly tables: number;
  readonly sheets: readonly { readonly name: string }[];
}

export function showSummary(memory: ShownMemory): z.input<typeof memorySummary> {
  return {
    id: memory.id,
    name: memory.name,
    type: memory.type,
    num_chunks: memory.chunks,
    num_figures: memory.figures,
    num_tables: memory.tables,
    ...(memory.type === 'excel_file' && { sheet_names: memory.sheets.map(({ name }) => name) }),
  };
}

export function showListed(memory: ShownMemory): z.input<typeof listedMemory> {
  return {
    ...showSummary(memory),
    status: memory.status,
    ...(memory.reason !== null && { reason: memory.reason }),
    size_bytes: memory.sizeBytes,
    ...(memory.partOf !== undefined && { part_of: memory.partOf }),
    ...showOrganised(memory),
  };
}

export const chartType = z.enum(SHORT_TYPES);

/** Arguments of tools that may put the files they make into the lake. */
export const keepInput = {
  keep: z.boolean().optional().describe('Also put new files into the lake, with the code and its inputs'),
  collection: collectionName.optional().describe('For kept files; default "default"'),
};

export const madeFileOutput = z.object({
  name: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  uri: z.string().describe('Resource that holds the file for a day'),
  download_url: z.string().nullable().describe('Downloads the file until it expires; null where there is no HTTP'),
  memory_id: z.string().optional().describe('The memory it was kept as'),
  not_kept: z.string().optional().describe('Why it could not become a memory'),
});

interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly data: Uint8Array;
  readonly downloadUrl: string | null;
  readonly memoryId?: string;
  readonly notKept?: string;
}

export const showMadeFile = (file: ShownFile): z.input<typeof madeFileOutput> => ({
  name: file.name,
  mime_type: file.mediaType,
  size_bytes: file.sizeBytes,
  uri: resultUri(file),
  download_url: file.downloadUrl,
  ...(file.memoryId !== undefined && { memory_id: file.memoryId }),
  ...(file.notKept !== undefined && { not_kept: file.notKept }),
});

/** Total size of embedded pictures per answer; the rest is linked. */
const PICTURE_BYTES = 4 << 20;

/** Content beside the structured answer: embedded pictures, and links to other files. */
export function contentOf(files: readonly ShownFile[]): Content[] {
  let pictureBytes = 0;
  return files.map((file) => {
    const { name, mediaType, sizeBytes, data } = file;
    const picture = pictureType(data);
    if (picture === undefined || pictureBytes + sizeBytes > PICTURE_BYTES)
      return { type: 'resource_link', uri: resultUri(file), name, mimeType: mediaType, size: sizeBytes };
    pictureBytes += sizeBytes;
    return { type: 'image', data: Buffer.from(data).toString('base64'), mimeType: picture };
  });
}

const resultUri = ({ id }: Pick<ShownFile, 'id'>): string => `memory-result://${id}`;
