import type { CollectionDefinition, StoredBlob, StoredRecord } from '@atoll-mcp/core/storage';
import type { ColumnInfo } from '../domain/columns/column-types.ts';
import type { FileFormat, MemoryType, Place } from '../domain/document.ts';

export type MemoryStatus = 'processing' | 'ready' | 'failed';

export interface SheetRecord {
  readonly name: string;
  /** The name of its table in SQL; stable while the memory exists. */
  readonly table: string;
  readonly rows: number;
  readonly columns: readonly string[];
  /** Types of the columns, in order; absent in records of older versions. */
  readonly types?: readonly ColumnInfo[];
  /** Where it stands, for a table inside a document. */
  readonly place?: Place;
}

/** Stored bytes that have not been read yet. */
export interface PendingWork {
  readonly blobKey: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Holder of the lease: host, process id and a random part. */
  readonly owner: string;
  /** Attempts that have not ended, to detect files that crash the process. */
  readonly begun?: number;
}

/** A file in the blob store. */
export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly blobKey: string;
}

/** What a file was computed from. */
export interface Lineage {
  readonly language: 'python' | 'javascript';
  readonly code: string;
  /** The memories that the code had read, with their hashes at that time. */
  readonly inputs: readonly { readonly id: string; readonly name: string; readonly sha256: string }[];
}

/** One memory as it is stored. */
export interface MemoryRecord extends StoredRecord, StoredFile {
  readonly type: MemoryType;
  readonly format: FileFormat | null;
  readonly status: MemoryStatus;
  readonly reason: string | null;
  /** Hash of the latest stored bytes, to detect duplicates. */
  readonly sha256: string;
  readonly summary: string;
  readonly chunks: number;
  readonly tables: number;
  readonly figures: number;
  readonly pages: number;
  readonly sheets: readonly SheetRecord[];
  /** Tables inside a document, named `page 3 table 1`; absent in records of older versions. */
  readonly documentTables?: readonly SheetRecord[];
  /** Identity of the model of its vectors; null if it is found by keywords only. */
  readonly model: string | null;
  /** Identity of the multilingual model, if it also has vectors of that. */
  readonly multilingual?: string | null;
  /** Whether its text is English; null if unknown. */
  readonly english?: boolean | null;
  /** Absent in the default collection. */
  readonly collection?: string;
  readonly tags?: readonly string[];
  /** The tags as one text, for filters. */
  readonly tagText?: string | null;
  /** Version number of its bytes, from 1; absent in records of older versions. */
  readonly version?: number;
  /** When the current version was added; absent for the first. */
  readonly versionMs?: number;
  /** Absent for files. */
  readonly kind?: 'note';
  readonly note?: NoteFacts;
  /** Whether a newer note took its place. */
  readonly superseded?: boolean;
  /** Set when code made it. */
  readonly lineage?: Lineage | null;
  /** The memory that it is attached to, for what came with a mail. */
  readonly partOf?: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly pending: PendingWork | null;
  /** While work is pending: when the lease expires. */
  readonly leaseUntilMs: number | null;
}

/** A cited text, as it was when the note was written. */
export interface Cite {
  readonly memoryId: string;
  readonly memoryName: string;
  /** Of the file's bytes then. */
  readonly sha256: string;
  /** Empty for the whole file. */
  readonly place: Place;
  /** The cited text; only its beginning if it is long. */
  readonly text: string;
  /** SHA-256 of the complete cited text. */
  readonly textHash: string;
}

export interface NoteFacts {
  readonly text: string;
  readonly cites: readonly Cite[];
  readonly validFromMs: number;
  /** Null while it is valid. */
  readonly validToMs: number | null;
  readonly supersedes?: string;
  readonly supersededBy?: string;
}

/** Whether the work is still pending and leased by this owner. */
export const isWorkOf = (memory: MemoryRecord | undefined, { owner, blobKey }: PendingWork): memory is MemoryRecord =>
  memory?.pending?.owner === owner && memory.pending.blobKey === blobKey;

/** A memory whose bytes are stored but not yet read. */
export function newMemory(
  id: string,
  file: { name: string; blob: StoredBlob; type: MemoryType },
  pending: PendingWork,
  { nowMs, leaseUntilMs }: { nowMs: number; leaseUntilMs: number },
): MemoryRecord {
  return {
    id,
    name: file.name,
    type: file.type,
    format: null,
    status: 'processing',
    reason: null,
    sha256: file.blob.sha256,
    sizeBytes: file.blob.sizeBytes,
    blobKey: file.blob.key,
    summary: '',
    chunks: 0,
    tables: 0,
    figures: 0,
    pages: 0,
    sheets: [],
    model: null,
    createdMs: nowMs,
    updatedMs: nowMs,
    pending,
    leaseUntilMs,
  };
}

export const memoryCollection: CollectionDefinition<MemoryRecord> = {
  name: 'memories',
  version: 3,
  fields: {
    name: 'text',
    kind: 'text',
    superseded: 'boolean',
    type: 'text',
    status: 'text',
    sha256: 'text',
    blobKey: 'text',
    model: 'text',
    multilingual: 'text',
    collection: 'text',
    tagText: 'text',
    createdMs: 'integer',
    leaseUntilMs: 'integer',
  },
  ignoreCase: ['name'],
  indexes: [
    ['sha256'],
    ['kind', 'createdMs'],
    ['superseded'],
    ['collection', 'status'],
    ['status', 'type'],
    ['status', 'model'],
    ['status', 'multilingual'],
    ['blobKey'],
    ['createdMs'],
    ['leaseUntilMs'],
  ],
};

/** Where a memory came from: a file's path, or the name it was uploaded under. Its id is a hash of that. */
interface SourceRecord extends StoredRecord {
  readonly source: string;
  readonly memoryId: string;
}

export const sourceCollection: CollectionDefinition<SourceRecord> = {
  name: 'memory_sources',
  version: 1,
  fields: { source: 'text', memoryId: 'text' },
  indexes: [['memoryId'], ['source']],
};

/** Reserves the name of a table for one memory. */
export interface TableNameRecord extends StoredRecord {
  readonly memoryId: string;
  readonly sheet: string;
}

export const tableNameCollection: CollectionDefinition<TableNameRecord> = {
  name: 'table_names',
  version: 1,
  fields: { memoryId: 'text' },
  indexes: [['memoryId']],
};

export interface SettingRecord extends StoredRecord {
  readonly value: string;
}

export const settingCollection: CollectionDefinition<SettingRecord> = {
  name: 'lake_settings',
  version: 1,
  fields: {},
};

/** The description of a collection; there is no record without one. */
interface CollectionRecord extends StoredRecord {
  readonly description: string;
}

export const collectionCollection: CollectionDefinition<CollectionRecord> = {
  name: 'memory_collections',
  version: 1,
  fields: {},
};

/** A document whose attributes in the index are outdated. Its id is the document's. */
interface AttributeUpdateRecord extends StoredRecord {
  readonly sinceMs: number;
}

export const attributeUpdateCollection: CollectionDefinition<AttributeUpdateRecord> = {
  name: 'attribute_updates',
  version: 1,
  fields: {},
};

/** A former version of a memory. Its id is the memory's with the number of the version. */
export interface VersionRecord extends StoredRecord, StoredFile {
  readonly memoryId: string;
  readonly version: number;
  readonly format: FileFormat | null;
  readonly sinceMs: number;
  readonly untilMs: number;
}

export const versionCollection: CollectionDefinition<VersionRecord> = {
  name: 'memory_versions',
  version: 1,
  fields: { memoryId: 'text', version: 'integer', blobKey: 'text' },
  indexes: [['memoryId', 'version'], ['blobKey']],
};

/** A file to register. */
export interface FoundFile {
  readonly source: string;
  readonly name: string;
  readonly blob: StoredBlob;
  readonly type: MemoryType;
  readonly owner: string;
  readonly collection?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly lineage?: Lineage | undefined;
  readonly partOf?: string | undefined;
}

/** Result of registering a file. */
export interface Registration {
  readonly memory: MemoryRecord;
  /** The lake already had these bytes. */
  readonly isDuplicate: boolean;
  /** The file still has to be read. */
  readonly isPending: boolean;
  /** A memory that was deleted because its only source now has the bytes of another. */
  readonly orphan: MemoryRecord | undefined;
}

/** The version that new bytes replace; undefined if there is none, or if it could not be read. */
export function formerVersion(memory: MemoryRecord, pending: PendingWork, untilMs: number): VersionRecord | undefined {
  if (memory.blobKey === pending.blobKey || memory.status !== 'ready') return undefined;
  const { id: memoryId, name, blobKey, sizeBytes, format, version = 1, versionMs: sinceMs = memory.createdMs } = memory;
  return { id: `${memoryId}@${version}`, memoryId, version, name, blobKey, sizeBytes, format, sinceMs, untilMs };
}
