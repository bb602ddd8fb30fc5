import type { MemoryType } from '../domain/document.ts';
import type { Catalog } from './catalog.ts';
import type { MemoryRecord, MemoryStatus } from './memory-record.ts';

export interface LakeOverview {
  readonly ready: Readonly<Record<MemoryType, number>>;
  readonly processing: number;
  readonly failed: number;
  readonly samples: readonly MemoryRecord[];
}

const SAMPLES = 10;

/** How many files there are of each type and state, and the newest of them. */
export async function lakeOverview(catalog: Catalog): Promise<LakeOverview> {
  const count = (status: MemoryStatus, type?: MemoryType) =>
    catalog.memories.count({ kind: null, status, ...(type && { type }) });
  const [excel, pdf, txt, processing, failed, samples] = await Promise.all([
    count('ready', 'excel_file'),
    count('ready', 'pdf_file'),
    count('ready', 'txt_file'),
    count('processing'),
    count('failed'),
    catalog.list({
      where: { kind: null, status: 'ready' },
      limit: SAMPLES,
      order: [{ field: 'createdMs', direction: 'desc' }],
    }),
  ]);
  return { ready: { excel_file: excel, pdf_file: pdf, txt_file: txt }, processing, failed, samples: samples.items };
}
