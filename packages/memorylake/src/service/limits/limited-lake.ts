import { collectionOf, DEFAULT_COLLECTION, isWithin, type MemoryFilter } from '../../domain/organise/memory-filter.ts';
import { collectionNotFound, limitedImport, memoryNotFound, noteNotFound } from '../../errors.ts';
import type { MemoryLakeService } from '../../service.ts';
import type { MemoryRecord } from '../memory-record.ts';
import type { Lake } from './lake.ts';

/**
 * A lake for callers that are limited to collections: everything else is hidden and cannot be changed. Stateless, so that each
 * request can create one.
 */
export class LimitedLake implements Lake {
  readonly #lake: MemoryLakeService;
  readonly #collectionNames: readonly string[];

  constructor(lake: MemoryLakeService, collections: readonly string[]) {
    this.#lake = lake;
    this.#collectionNames = collections;
  }

  readonly addGiven: Lake['addGiven'] = async (given, options) => {
    // Adding by path could move the memory of that path here from another collection.
    if (given.path !== undefined) throw limitedImport();
    return this.#lake.addGiven({ ...given, collection: await this.#target(given.collection) }, options);
  };

  readonly remove: Lake['remove'] = async (ids) => {
    const { own, others } = await this.#sorted(ids);
    const { deleted, notFound } = await this.#lake.remove(own);
    return { deleted, notFound: [...notFound, ...others] };
  };

  readonly overview: Lake['overview'] = () => this.#lake.overview(this.#collectionNames);

  readonly list: Lake['list'] = async (options) => {
    const { items, ...page } = await this.#lake.list(this.#within(options));
    return { ...page, items: await this.#shown(items) };
  };

  readonly fetch: Lake['fetch'] = async (ids) => this.#shown(await this.#lake.fetch(ids));

  readonly search: Lake['search'] = async (question) => {
    const { results, notice, ...answer } = await this.#lake.search(this.#within(question));
    const shown = new Map(
      (await this.#shown(results.map(({ memory }) => memory))).map((memory) => [memory.id, memory]),
    );
    return {
      ...answer,
      results: results.flatMap((found) => {
        const memory = shown.get(found.memory.id);
        if (!memory) return [];
        const cited = new Set(memory.note?.cites.map(({ memoryId }) => memoryId));
        const changes = found.changes?.filter(({ memoryId }) => cited.has(memoryId));
        return [{ ...found, memory, ...(changes && { changes }) }];
      }),
      // The notice counts and names files of the whole lake.
      notice: notice === undefined || answer.mode === 'keywords' ? notice : 'Some files are found by their words only.',
    };
  };

  readonly collections: Lake['collections'] = async () =>
    (await this.#lake.collections()).filter(({ name }) => isWithin(this.#collectionNames, name));

  readonly describeCollection: Lake['describeCollection'] = async (name, description) =>
    this.#lake.describeCollection(await this.#target(name), description);

  readonly update: Lake['update'] = async (id, change) => {
    await this.getMemory(id);
    if (change.collection !== undefined) await this.#target(change.collection);
    return this.#one(await this.#lake.update(id, change));
  };

  readonly read: Lake['read'] = async (id, options, signal) => {
    const memory = await this.getMemory(id);
    return { ...(await this.#lake.read(id, options, signal)), memory };
  };

  readonly getMemory: Lake['getMemory'] = async (id) => {
    const [memory] = await this.fetch([id]);
    if (!memory) throw memoryNotFound(id);
    return memory;
  };

  readonly similarTo: Lake['similarTo'] = async (id, least) => {
    await this.getMemory(id);
    return this.#lake.similarTo(id, least, { collections: this.#collectionNames });
  };

  readonly drawPage: Lake['drawPage'] = async (id, page, signal) => {
    await this.getMemory(id);
    return this.#lake.drawPage(id, page, signal);
  };

  readonly queryTables: Lake['queryTables'] = async (sql, query) => this.#lake.queryTables(sql, this.#within(query));

  readonly chart: Lake['chart'] = async (sql, chart, query) => this.#lake.chart(sql, chart, this.#within(query));

  readonly link: Lake['link'] = async (file) => this.#lake.link(file);

  readonly checkLink: Lake['checkLink'] = async (...link) => this.#lake.checkLink(...link);

  readonly fileBehind: Lake['fileBehind'] = async (id) => (await this.fetch([id]))[0] ?? this.results.get(id);

  readonly bytesOf: Lake['bytesOf'] = async (file) => this.#lake.bytesOf(file);

  readonly statusOf: Lake['statusOf'] = (memory) => this.#lake.statusOf(memory);

  readonly hasVectorsPending: Lake['hasVectorsPending'] = (memory) => this.#lake.hasVectorsPending(memory);

  readonly notes: Lake['notes'] = {
    remember: async (note) => {
      for (const { memoryId } of note.cites ?? []) await this.getMemory(memoryId);
      return this.#lake.notes.remember({ ...note, collection: await this.#target(note.collection) });
    },
    supersede: async (id, change) => {
      if (!(await this.#sees(id))) throw noteNotFound(id);
      const { note, former, dropped } = await this.#lake.notes.supersede(id, change, (cited) => this.#sees(cited));
      // Cites of other collections are hidden.
      const cites = await this.#citesOf(former.note.cites);
      return { note, former: { ...former, note: { ...former.note, cites } }, dropped: await this.#citesOf(dropped) };
    },
    forget: async (ids) => {
      const { own, others } = await this.#sorted(ids);
      const { forgotten, notFound } = await this.#lake.notes.forget(own);
      return { forgotten, notFound: [...notFound, ...others] };
    },
    changesOf: async (memory) => this.#lake.notes.changesOf(memory),
  };

  /** Safe: callers can only get records from this class. */
  get versions(): Lake['versions'] {
    return this.#lake.versions;
  }

  readonly code: Lake['code'] = {
    create: async (language) =>
      this.#lake.code.create(language, { collections: this.#collectionNames, maySee: (id) => this.#sees(id) }),
    run: async (id, code, options = {}) => {
      const collection = options.keep ? await this.#target(options.collection) : undefined;
      return this.#lake.code.run(id, code, { ...options, collection, collections: this.#collectionNames });
    },
    close: async (id) => this.#lake.code.close(id, this.#collectionNames),
  };

  readonly results: Lake['results'] = {
    get: async (id) => this.#lake.results.get(id, this.#collectionNames),
    bytes: async (file) => this.#lake.results.bytes(file),
  };

  readonly folders: Lake['folders'] = {
    status: () => {
      const all = this.#lake.folders?.status() ?? [];
      return all.filter((folder) => isWithin(this.#collectionNames, collectionOf(folder)));
    },
  };

  #within<Query extends MemoryFilter>(query: Query): Query {
    return { ...query, collections: this.#collectionNames };
  }

  /** The collection to write to: as named, else the default one if allowed, else the only allowed one. */
  async #target(named: string | undefined): Promise<string> {
    const [first] = this.#collectionNames;
    const only = this.#collectionNames.length === 1 ? first : undefined;
    const collection = named ?? only ?? DEFAULT_COLLECTION;
    if (!isWithin(this.#collectionNames, collection)) throw collectionNotFound(collection, this.#collectionNames);
    return collection;
  }

  async #sees(id: string): Promise<boolean> {
    return (await this.fetch([id])).length > 0;
  }

  async #sorted(ids: readonly string[]): Promise<{ own: string[]; others: string[] }> {
    const seen = new Set((await this.fetch(ids)).map(({ id }) => id));
    const unique = [...new Set(ids)];
    return { own: unique.filter((id) => seen.has(id)), others: unique.filter((id) => !seen.has(id)) };
  }

  /** Visible records, without cites of hidden memories. */
  async #shown(records: readonly MemoryRecord[]): Promise<MemoryRecord[]> {
    const seen = records.filter((memory) => isWithin(this.#collectionNames, collectionOf(memory)));
    return Promise.all(seen.map((memory) => this.#one(memory)));
  }

  async #one(memory: MemoryRecord): Promise<MemoryRecord> {
    const { note, lineage, partOf } = memory;
    if (!note && !lineage && partOf === undefined) return memory;
    const { partOf: _mail, ...rest } = memory;
    const isMailSeen = partOf !== undefined && (await this.#seenOf([partOf])).size > 0;
    const inputs = await this.#seenOf((lineage?.inputs ?? []).map(({ id }) => id));
    return {
      ...(isMailSeen ? memory : rest),
      ...(note && { note: { ...note, cites: await this.#citesOf(note.cites) } }),
      ...(lineage && { lineage: { ...lineage, inputs: lineage.inputs.filter(({ id }) => inputs.has(id)) } }),
    };
  }

  async #citesOf<Cite extends { readonly memoryId: string }>(cites: readonly Cite[]): Promise<Cite[]> {
    const seen = await this.#seenOf(cites.map(({ memoryId }) => memoryId));
    return cites.filter(({ memoryId }) => seen.has(memoryId));
  }

  async #seenOf(ids: readonly string[]): Promise<Set<string>> {
    const found = ids.length === 0 ? [] : await this.#lake.fetch(ids);
    return new Set(found.filter((memory) => isWithin(this.#collectionNames, collectionOf(memory))).map(({ id }) => id));
  }
}
