import type { Logger } from '@atoll-mcp/core';
import type { FilePart, FileReader, FileToRead, LocalBlobStore } from '../backends/interface.ts';
import { collectionOf } from '../domain/organise/memory-filter.ts';
import type { Catalog } from './catalog.ts';
import type { AddedFile, AddedMemory } from './library.ts';
import type { MemoryRecord } from './memory-record.ts';

interface PartsOfFilesOptions {
  readonly catalog: Catalog;
  readonly blobs: LocalBlobStore;
  readonly reader: FileReader;
  readonly log: Logger;
  readonly accept: (file: AddedFile) => Promise<AddedMemory>;
  readonly settle: (id: string) => Promise<MemoryRecord | undefined>;
}

const WITH_ATTACHMENTS: ReadonlySet<string> = new Set(['eml', 'msg', 'mbox']);

/** Depth limit for mails attached to mails. */
const MAX_DEPTH = 3;

/** Adds attachments of mails and files of archives as their own memories. */
export class PartsOfFiles {
  readonly #options: PartsOfFilesOptions;

  constructor(options: PartsOfFilesOptions) {
    this.#options = options;
  }

  /** Adds the attachments of a mail; unreadable attachments are logged and do not fail the mail. */
  async addAttachments(mail: MemoryRecord, depth = 1): Promise<void> {
    if (mail.status !== 'ready' || !WITH_ATTACHMENTS.has(mail.format ?? '') || depth > MAX_DEPTH) return;
    const file = { path: await this.#options.blobs.localPath(mail.blobKey), name: mail.name };
    const { id: partOf, collection, tags } = mail;
    const sourceOf = ({ name }: FilePart, at: number) => `${attachmentsOf(partOf)}${at}/${name}`;
    try {
      const added = await this.#addParts(file, sourceOf, { partOf, collection, tags });
      for (const { memory } of added) await this.addAttachments(memory, depth + 1);
    } catch (error) {
      this.#options.log.warn('attachments could not be read', { id: mail.id, error });
    }
  }

  /** Adds the files of an archive, but not the archive itself. */
  async addArchive(
    path: string,
    name: string,
    organised: Pick<AddedFile, 'collection' | 'tags'>,
  ): Promise<AddedMemory[]> {
    const added = await this.#addParts({ path, name }, (part) => `archive:${path}!/${part.name}`, organised);
    for (const { memory } of added) await this.addAttachments(memory);
    return added;
  }

  /** Deletes the sources of attachments. Returns the ids of memories in the collection of the mail that have no other source. */
  async forgetAttachments(mail: MemoryRecord): Promise<string[]> {
    const left: string[] = [];
    for (const source of await this.#options.catalog.sourcesUnder(attachmentsOf(mail.id))) {
      // Permission to delete the mail does not extend to other collections.
      const id = await this.#options.catalog.forgetSource(source, collectionOf(mail));
      if (id !== undefined) left.push(id);
    }
    return left;
  }

  /** Registers all parts before any is read: unpacking and reading use the same processes. */
  async #addParts(
    file: FileToRead,
    sourceOf: (part: FilePart, at: number) => string,
    facts: Pick<AddedFile, 'collection' | 'tags' | 'partOf'>,
  ): Promise<AddedMemory[]> {
    const accepted: AddedMemory[] = [];
    const take = async (part: FilePart): Promise<void> => {
      if (part.bytes.length === 0) return;
      const source = sourceOf(part, accepted.length);
      accepted.push(await this.#options.accept({ name: part.name, source, bytes: () => part.bytes, ...facts }));
    };
    const problem = await this.#options.reader.parts(file, take).catch((error: unknown) => error);
    const added: AddedMemory[] = [];
    for (const { memory, isDuplicate } of accepted)
      added.push({ memory: (await this.#options.settle(memory.id)) ?? memory, isDuplicate });
    // Parts before the damage have been added.
    if (problem !== undefined) throw problem;
    return added;
  }
}

const attachmentsOf = (mailId: string): string => `attachment:${mailId}/`;
