import { z } from 'zod';

export const memoryType = z.enum(['excel_file', 'pdf_file', 'txt_file']);
export const memoryStatus = z.enum(['processing', 'ready', 'failed']);

export const memoryId = z.string().min(1).max(80);
export const memoryIds = z.array(memoryId).min(1).max(200);

export const placeOutput = z.object({
  page: z.int().optional().describe('Page, from 1'),
  boxes: z
    .array(z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly())
    .readonly()
    .optional()
    .describe('Where its lines stand on the page: left, top, right, bottom in points from the top left'),
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

export const listedMemory = memorySummary.extend({
  status: memoryStatus,
  reason: z.string().optional().describe('Why it failed'),
  size_bytes: z.int(),
});

interface ShownMemory {
  readonly id: string;
  readonly name: string;
  readonly type: z.infer<typeof memoryType>;
  readonly status: z.infer<typeof memoryStatus>;
  readonly reason: string | null;
  readonly sizeBytes: number;
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
  };
}
