import { createHash } from 'node:crypto';
import { ToolError } from '@atoll-mcp/core';
import { describePlace, type Place } from '../../domain/document.ts';
import { type CitedPlace, isWhole, plainText, standsAt } from '../../domain/remember/cited-place.ts';
import { memoryNotFound, memoryNotReady, placeNotFound } from '../../errors.ts';
import type { Catalog } from '../catalog.ts';
import type { MemoryReader } from '../memory-reader.ts';
import type { Cite, MemoryRecord } from '../memory-record.ts';

/** A source of a note whose text has changed since. */
export interface ChangedSource {
  readonly memoryId: string;
  readonly memoryName: string;
  readonly place: Place;
  readonly former: string;
  /** The current text; null if the place or the file no longer exists. */
  readonly present: string | null;
}

/** Of longer texts only the beginning and a hash are stored. */
const KEPT = 8_000;
const SHOWN = 2_000;

/** Reads the text at cited places and detects changes. */
export class CitedTexts {
  readonly #catalog: Catalog;
  readonly #reading: MemoryReader;

  constructor(options: { catalog: Catalog; reading: MemoryReader }) {
    this.#catalog = options.catalog;
    this.#reading = options.reading;
  }

  /** Cites the current text at a place. Fails if the memory or the place does not exist. */
  async cite(memoryId: string, cited: CitedPlace = {}): Promise<Cite> {
    const memory = await this.#catalog.memories.get(memoryId);
    if (!memory) throw memoryNotFound(memoryId);
    if (memory.status !== 'ready') throw memoryNotReady(memoryId, memory.name, memory.status, memory.reason);
    const { text, place } = await this.#textAt(memory, cited);
    return {
      memoryId,
      memoryName: memory.name,
      sha256: memory.sha256,
      place,
      text: text.slice(0, KEPT),
      textHash: hashOf(text),
    };
  }

  /** The cites of each list whose text no longer stands in its file, there or elsewhere. Each file is read once for all. */
  async changesOf(lists: readonly (readonly Cite[])[]): Promise<ChangedSource[][]> {
    const look = new Look(this.#catalog, this.#reading);
    return Promise.all(
      lists.map(async (cites) => {
        const changes = await Promise.all(cites.map((cite) => this.#changeOf(cite, look)));
        return changes.filter((change) => change !== undefined);
      }),
    );
  }

  async #changeOf(cite: Cite, look: Look): Promise<ChangedSource | undefined> {
    const memory = await look.memory(cite.memoryId);
    if (memory?.sha256 === cite.sha256) return undefined;
    const { memoryId, place } = cite;
    const changed = { memoryId, memoryName: memory?.name ?? cite.memoryName, place, former: cite.text.slice(0, SHOWN) };
    if (memory?.status !== 'ready') return { ...changed, present: null };
    const present = await this.#textAt(memory, place, look).catch((error) => {
      if (error instanceof ToolError) return undefined;
      throw error;
    });
    if (present && hashOf(present.text) === cite.textHash) return undefined;
    if (await this.#isElsewhere(memory, cite, look)) return undefined;
    return { ...changed, present: present ? present.text.slice(0, SHOWN) : null };
  }

  async #textAt(
    memory: MemoryRecord,
    cited: CitedPlace,
    look = new Look(this.#catalog, this.#reading),
  ): Promise<{ text: string; place: Place }> {
    const { chunk: _number, ...place } = cited;
    if (isWhole(cited)) return { text: (await this.#reading.read(memory, {})).text, place: {} };
    if (cited.chunk === undefined && cited.sheet !== undefined && cited.rows) {
      const { text } = await this.#reading.read(memory, { sheet: cited.sheet, rows: cited.rows.join(':') });
      if (text !== '') return { text, place };
    } else if (cited.chunk !== undefined) {
      const found = await this.#reading.passage(memory, cited.chunk);
      if (found) return { text: found.text, place: found.place };
    } else {
      const found = (await look.passages(memory)).filter((passage) => standsAt(passage, cited));
      if (found.length > 0) return { text: found.map(({ text }) => text).join('\n\n'), place };
    }
    const what = cited.chunk === undefined ? describePlace(place) || 'such place' : `chunk ${cited.chunk}`;
    throw placeNotFound(memory.name, what, `It has chunks 1 to ${memory.chunks}; read_memory shows what stands where.`);
  }

  /** Lines added above move the text without changing it. */
  async #isElsewhere(memory: MemoryRecord, { place, text }: Cite, look: Look): Promise<boolean> {
    if (isWhole(place) || text.length >= KEPT) return false;
    return (await look.plainText(memory)).includes(plainText(text));
  }
}

interface Passage {
  readonly chunk: number;
  readonly place: Place;
  readonly text: string;
}

/** What is read to look at cites: each memory once. */
class Look {
  readonly #catalog: Catalog;
  readonly #reading: MemoryReader;
  readonly #memories = new Map<string, Promise<MemoryRecord | undefined>>();
  readonly #passages = new Map<string, Promise<readonly Passage[]>>();
  readonly #texts = new Map<string, Promise<string>>();

  constructor(catalog: Catalog, reading: MemoryReader) {
    this.#catalog = catalog;
    this.#reading = reading;
  }

  memory(id: string): Promise<MemoryRecord | undefined> {
    return once(this.#memories, id, () => this.#catalog.memories.get(id));
  }

  passages(memory: MemoryRecord): Promise<readonly Passage[]> {
    return once(this.#passages, memory.id, async () => {
      const numbers: number[] = [];
      const passages = await this.#reading.passagesWhere(memory, ({ chunk }) => numbers.push(chunk) > 0);
      return passages.map(({ place, text }, at) => ({ chunk: numbers[at]!, place, text }));
    });
  }

  plainText(memory: MemoryRecord): Promise<string> {
    return once(this.#texts, memory.id, async () =>
      plainText((await this.passages(memory)).map(({ text }) => text).join('\n')),
    );
  }
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

const hashOf = (text: string): string => createHash('sha256').update(plainText(text)).digest('hex');
