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

/** Mails attached to mails are followed this far. */
const MAX_DEPTH = 3;

/** What mails and archives hold, as memories of their own. */
export class PartsOfFiles {
  readonly #options: PartsOfFilesOptions;

  constructor(options: PartsOfFilesOptions) {
    this.#options = options;
  }

  /** Adds what is attached to a mail; a mail whose attachments cannot be read stays as it is. */
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

  /** Adds what an archive holds; the archive itself is not a memory. */
  async addArchive(
    path: string,
    name: string,
    organised: Pick<AddedFile, 'collection' | 'tags'>,
  ): Promise<AddedMemory[]> {
    const added = await this.#addParts({ path, name }, (part) => `archive:${path}!/${part.name}`, organised);
    for (const { memory } of added) await this.addAttachments(memory);
    return added;
  }

  /** Lets go of what was attached to a mail. Gives the memories of its collection that nothing else holds. */
  async forgetAttachments(mail: MemoryRecord): Promise<string[]> {
    const left: string[] = [];
    for (const source of await this.#options.catalog.sourcesUnder(attachmentsOf(mail.id))) {
      // Whoever may delete the mail may not therefore delete from other collections.
      const id = await this.#options.catalog.forgetSource(source, collectionOf(mail));
      if (id !== undefined) left.push(id);
    }
    return left;
  }

  /** Takes note of all parts first: who reads them waits for the process that unpacks them. */
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
    // What came before the damage is in the lake.
    if (problem !== undefined) throw problem;
    return added;
  }
}

const attachmentsOf = (mailId: string): string => `attachment:${mailId}/`;
