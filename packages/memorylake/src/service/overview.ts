import type { MemoryType } from '../domain/document.ts';
import { collectionFilter } from '../domain/organise/memory-filter.ts';
import type { Catalog } from './catalog.ts';
import type { MemoryRecord, MemoryStatus } from './memory-record.ts';

export interface LakeOverview {
  readonly ready: Readonly<Record<MemoryType, number>>;
  readonly processing: number;
  readonly failed: number;
  readonly samples: readonly MemoryRecord[];
}

const SAMPLES = 10;

/** Counts of files by type and state, and the latest files. */
export async function lakeOverview(catalog: Catalog, collections?: readonly string[]): Promise<LakeOverview> {
  const within = collectionFilter({ collections }, (values) => ({ in: values }));
  const count = (status: MemoryStatus, type?: MemoryType) =>
    catalog.memories.count({ ...within, kind: null, status, ...(type && { type }) });
  const [excel, pdf, txt, processing, failed, samples] = await Promise.all([
    count('ready', 'excel_file'),
    count('ready', 'pdf_file'),
    count('ready', 'txt_file'),
    count('processing'),
    count('failed'),
    catalog.list({
      where: { ...within, kind: null, status: 'ready' },
      limit: SAMPLES,
      order: [{ field: 'createdMs', direction: 'desc' }],
    }),
  ]);
  return { ready: { excel_file: excel, pdf_file: pdf, txt_file: txt }, processing, failed, samples: samples.items };
}
